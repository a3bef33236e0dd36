"""Tensors that a kernel wrote: read without trust, judged against the declared steps, a block of rows at a time."""
