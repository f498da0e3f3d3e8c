"""The HTTP service and the review app."""
