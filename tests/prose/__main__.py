"""Runs the linter: ``PYTHONPATH=tests python -m prose``."""

from __future__ import annotations

import sys

from prose.linter import main

sys.exit(main())
