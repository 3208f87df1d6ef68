"""No seat ever has more of several counters together than the bound of their sum says."""

import random
from itertools import combinations

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.api.game import Ruleset
from draftengine.api.scenario.suite import check_bytes
from draftengine.engine.chance import Stream
from draftengine.engine.policies import play_by, random_move
from draftengine.engine.state import initial_state
from draftengine.model.checks.context import CheckContext
from draftengine.studies.playtest.games import collector
from playtest.legal import legal_games
from written import TWO_DISHES

GAMES = 40 if NIGHTLY else 3
PAIRS = 30

FIVE = ["soup", "bread", "cake", "tea", "salt"]


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("points: 5 if soup + bread > 5 else 0", "condition-always-false"),
        ("points: 5 if soup + bread > 4 else 0", None),
        ("points: 5 if soup + 2 * bread > 10 else 0", "condition-always-false"),
        ("points: 5 if soup + 2 * bread > 9 else 0", None),
        ("points: 5 if soup > 2 and bread > 2 else 0", "condition-always-false"),
        ("points: 5 if soup > 2 and not bread < 3 else 0", "condition-always-false"),
        ("points: 5 if soup > 2 and bread > 1 else 0", None),
        ("points: 5 if soup - bread > 4 else 0", None),
        (f"collection: [{', '.join(FIVE)}], points: 5", None),
        (f"collection: [{', '.join(FIVE)}, rice], points: 5", "rule-never-scores"),
        (f"runs: [{', '.join(FIVE)}, rice], points: [0, 0, 0, 0, 0, 9]", "rule-never-scores"),
        (f"runs: [{', '.join(FIVE)}, rice], points: [0, 0, 0, 0, 1, 9]", None),
        ("collection: [soup, soup, bread], points: 5", "argument-twice"),
    ],
)
def test_what_needs_more_cards_than_a_seat_lays(rule, code):
    """Seats lay five cards in a round, whichever these are."""
    cards = "".join(f"  {card}: {{count: 9}}\n" for card in (*FIVE[2:], "rice"))
    text = TWO_DISHES.replace("setup:", f"{cards}setup:").replace("winner:", f"  feast: {{{rule}}}\nwinner:")
    findings = {finding.code for finding in check_bytes("-", "game.yaml", text.encode())} - {"card-does-nothing"}
    assert findings == ({code} if code else set())


def most_seen(program, sums, chance):
    """Return the largest value of each sum in games in which seats collect cards of a sum, or any."""
    fields = {field.name: field for field in program.fields}
    most = dict.fromkeys(sums, 0)
    for number in range(12):
        state = initial_state(program, 1, number, memory=False)
        names = chance.choice(sums)
        wanted = {play.card for play in program.plays for name in names if play.increment & fields[name].field_mask}
        policy = collector(wanted) if number % 3 else random_move

        def note(*_, state=state):
            for word in state.words[: program.players]:
                have = {name: field.read(word) for name, field in fields.items()}
                for names in sums:
                    most[names] = max(most[names], sum(have[name] for name in names))

        play_by(state, [policy] * program.players, Stream(number), note=note)
        note()
    return most


def check_sums(game, seed):
    chance = random.Random(seed)
    table, program = CheckContext(game.model, game.players), game.program
    fields = {field.name for field in program.fields}
    counted = [info.id for info in table.counters if info.id in fields and info.low >= 0 and info.together < 2**31 - 1]
    sums = [*combinations(counted, 2), *combinations(counted[:6], 3)]
    sums = chance.sample(sums, min(PAIRS, len(sums)))
    most = most_seen(program, sums, chance) if sums else {}
    for names, value in most.items():
        assert value <= table.bounds.most_of_sum(dict.fromkeys(names, 1)), (names, value)
    return len(most)


@pytest.mark.parametrize("name", ["sushi_go", "anniversary", "ohanami", "tides_of_time"])
def test_no_seat_has_more_than_the_bound_of_a_sum(name):
    assert check_sums(de.load(name, players=2), 7)


def test_no_seat_has_more_than_the_bound_of_a_sum_in_any_game():
    documents = legal_games(GAMES, 500)
    games = [rules.game(rules.usual_players) for rules in map(Ruleset, documents)]
    assert sum(check_sums(game, number) for number, game in enumerate(games))
