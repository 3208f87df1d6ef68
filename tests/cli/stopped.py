"""Run a command that gets a signal as soon as its first games are counted.

``learn`` gets it in its second lesson.

``python stopped.py SIGINT simulate soups.yaml --jobs 2``
"""

from __future__ import annotations

import os
import signal
import sys

from draftengine.studies.runner import Run

if __name__ == "__main__":
    number = signal.Signals[sys.argv.pop(1)]
    begin = Run.__init__

    def begin_and_stop(self, work, jobs, where, tell, merge):
        def merge_and_stop(chunk):
            enough = merge(chunk)
            os.kill(os.getpid(), number)
            return enough

        begin(self, work, jobs, where, tell, merge_and_stop)

    Run.__init__ = begin_and_stop
    if "learn" in sys.argv:
        from draftengine.studies.distilling import Teacher

        teach = Teacher.lessons

        def teach_and_stop(self, game):
            if game:
                os.kill(os.getpid(), number)
            return teach(self, game)

        Teacher.lessons = teach_and_stop
    from draftengine.__main__ import start

    start()
