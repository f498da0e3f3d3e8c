"""Make labelled notes without end: resample the identifiers of authored notes, add noise, fill plain text."""
