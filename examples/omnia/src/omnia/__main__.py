"""`python -m omnia`."""

import sys

from omnia.cli import main

sys.exit(main())
