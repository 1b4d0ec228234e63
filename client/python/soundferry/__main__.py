"""Runs the command: ``python -m soundferry``."""

import sys

from .command.main import main

sys.exit(main())
