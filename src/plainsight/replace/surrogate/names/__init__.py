"""Names: surrogates for the people of a scope. `people` is the file to read first."""
