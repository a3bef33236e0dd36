"""What a user holds: traces, numbers and reports that explain and draw themselves; the only joiner of layers."""
