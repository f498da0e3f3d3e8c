"""Make any number of labelled notes: resample identifiers of authored notes, add noise, fill plain text."""
