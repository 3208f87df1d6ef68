"""Run a command that gets a signal as soon as its first games are counted.

``python stopped.py SIGINT simulate soups.yaml --jobs 2``
"""

from __future__ import annotations

import os
import signal
import sys

from draftengine.studies.runner.run import Run

if __name__ == "__main__":
    number = signal.Signals[sys.argv.pop(1)]
    take = Run._take

    def take_and_stop(self, chunk):
        enough = take(self, chunk)
        os.kill(os.getpid(), number)
        return enough

    Run._take = take_and_stop
    from draftengine.__main__ import start

    start()
