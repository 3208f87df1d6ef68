"""``python -m draftengine``."""

from draftengine.cli.main import run

if __name__ == "__main__":
    run()
