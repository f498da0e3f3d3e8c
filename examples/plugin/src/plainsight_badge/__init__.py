"""A worked example of a plainsight plugin: staff badges."""
