"""Small programs that keep generated parts of the project current."""
