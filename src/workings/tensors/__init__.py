"""Tensors in files: read without trust, numbers on request."""
