"""Display tree to one target; one file per target, targets ignorant of each other."""
