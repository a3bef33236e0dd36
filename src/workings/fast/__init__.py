"""The engine of real size on torch: attention streamed row by row, in memory that grows with the tokens alone."""
