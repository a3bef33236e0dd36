"""A Hugging Face model looked over without trust, run once, its attention recorded; any number of it on request."""
