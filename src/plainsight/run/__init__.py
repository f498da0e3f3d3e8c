"""Run a pipeline over whole inputs: output, manifest, keys, mapping and restoring, several processes."""
