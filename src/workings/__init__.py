"""Show, check and explain every number in attention."""
