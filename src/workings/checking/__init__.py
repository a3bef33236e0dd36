"""What a document or a dump claims, against a trace: reading, claims, matching, verdicts, causes."""
