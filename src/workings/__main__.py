"""Runs the command as `python -m workings`."""

from workings.cli.main import main

if __name__ == "__main__":
    main()
