"""Ratios against other people's programs that give the weights of every head, or what stands for them."""
