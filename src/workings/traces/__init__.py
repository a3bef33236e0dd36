"""The record of one run: values by address, computed on request by an engine that is handed in."""
