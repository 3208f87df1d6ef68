"""An agent in thirty lines: plays any game by JSON lines, and takes what it has not taken yet.

    draftengine arena sushi_go --players 2 --bots "greedy,cmd:python examples/agent.py"

It needs nothing of draftengine. Any other language can do the same (docs/bots.md has the protocol).
"""

import json
import sys

games = {}


def choose(question):
    """Return a move: of the codes in it, most are of cards that do not lie on the seat's table yet."""
    view, names = question["view"], games[question["game"]]["codes"]
    table = view["counters"][view["seat"]]

    def rate(move):
        fresh = sum(not table.get(names[str(code)], 0) for code in move)
        return fresh, (question["seed"] + 7919 * sum(move)) % 1009

    return max(view["moves"], key=rate)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "game":
        games[message["game"]] = message
    else:
        sys.stdout.write(json.dumps({"move": choose(message)}) + "\n")
        sys.stdout.flush()
