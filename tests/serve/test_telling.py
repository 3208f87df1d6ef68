"""What happened at a table in the browser, in words."""

import pytest

import draftengine as de
from draftengine.api.phrasing.telling import TableLabels, sentence


@pytest.mark.parametrize(
    ("kind", "zone", "said"),
    [
        ("placed", "hand", "Ann takes Ikura into the hand."),
        ("placed", "discard", "Ann discards Ikura."),
        ("placed", "kept", "Ann puts Ikura aside (kept card)."),
        ("moved", "tableau", "Ann lays Ikura down."),
        ("moved", "hand", "Ann moves Ikura into the hand."),
    ],
)
def test_where_cards_go_is_said(kind, zone, said):
    game = de.load("sushi_draft", players=3)
    event = de.Event(kind, seat=0, zone=zone, cards=("ikura",), count=1)
    assert sentence(event, TableLabels(game, ["Ann", "Ben", "Cem"])) == said
