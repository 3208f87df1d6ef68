"""Forked commands at a terminal (`processes.py`), with the interface of `pexpect.spawn`."""

from __future__ import annotations

import os
import signal
import sys
import termios

import pexpect
from ptyprocess import PtyProcess

from commands import processes

_AT_TERMINAL = """
import fcntl, os, termios
from draftengine.__main__ import start
from draftengine.apps import terminal
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
terminal._PER_RULE = 0.02
start()
"""
"""A program that makes standard input its controlling terminal, and then runs draftengine in a hurry."""


class _Process(PtyProcess):
    """Process of `ptyprocess` that is not a child of this process."""

    @classmethod
    def spawn(cls, argv, *, cwd, env, dimensions, **_):
        ours, theirs = os.openpty()
        termios.tcsetwinsize(theirs, dimensions)
        streams = dict.fromkeys(("stdin", "stdout", "stderr"), theirs)
        process = processes.python(*map(os.fsdecode, argv[1:]), cwd=cwd, env=env, **streams)
        os.close(theirs)
        made = cls(process.pid, ours)
        made.process = process
        made.delayafterclose = made.delayafterterminate = 0.02  # it is no child that could be waited for
        return made

    def isalive(self):
        status = self.process.wait() if self.flag_eof else self.process.poll()
        if status is not None and not self.terminated:
            self.terminated = True
            self.exitstatus, self.signalstatus = (status, None) if status >= 0 else (None, signal.Signals(-status))
        return status is None

    def wait(self):
        self.process.wait()
        self.isalive()
        return self.exitstatus


class _Terminal(pexpect.spawn):
    def _spawnpty(self, args, **how):
        return _Process.spawn(args, **how)


def start(*arguments, env, **how):
    """Start a command at a new terminal."""
    if processes.can_be_forked(env=env):
        terminal = _Terminal(sys.executable, ["-c", _AT_TERMINAL, *arguments], env=env, **how)
        terminal.delaybeforesend = None  # tests type after a question
        return terminal
    return pexpect.spawn(sys.executable, [*processes.MODULE, *arguments], env=env, **how)
