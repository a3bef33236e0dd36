"""The command line: options, printing and exit codes; no logic."""
