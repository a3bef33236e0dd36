"""Trains a small transformer, so that W_Q, W_K and W_V are learned and can be watched on their way."""
