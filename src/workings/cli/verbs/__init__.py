"""One module for each verb; ``command`` builds it."""
