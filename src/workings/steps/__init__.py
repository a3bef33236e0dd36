"""What attention does, as data: each step declared once, by the formula of one cell."""
