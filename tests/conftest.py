"""What every test may rely on: a steady environment and named amounts of random examples."""

import os

from hypothesis import settings

for _name in ("FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "LANGUAGE", "WORKINGS_LANG"):
    os.environ.pop(_name, None)
os.environ.update(COLUMNS="100", LINES="40", LC_ALL="C.UTF-8", LANG="C.UTF-8", TERM="dumb")
os.environ["WORKINGS_CACHE"] = "off"  # nothing of a test is left behind

# No deadline: a slow machine is not a defect. The usual profile draws the same examples on every run.
settings.register_profile("usual", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("long", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))
