"""The recipe of networks with a few lessons: what is taught and learnt, and that it repeats."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import draftengine as de
from draftengine.bots.net import ONE, Fitted
from draftengine.bots.net.kept import Setting
from draftengine.studies import distilling
from draftengine.studies.distilling import training

POSITIONS = 1200


@pytest.fixture(scope="module")
def game():
    return de.load("sushi_go", players=2)


@pytest.fixture(scope="module")
def taught(game):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(distilling, "ITERATIONS", 60)
        return distilling.taught(game, POSITIONS)


@pytest.fixture(scope="module")
def kept(game, taught):
    return distilling.network_of([game], [taught])


def test_lessons_are_what_a_seat_knows_and_what_lies_in_hands(game, taught):
    """Check that a lesson names all legal moves, and that the seat's hand and no other is known at first."""
    inputs, some = taught
    first = some[0]
    hands = [[first_of(inputs, getattr(first, sight), f"hand.{place}.cards") for place in (0, 1)] for sight in SIGHTS]
    assert hands[0][0] == hands[1][0]
    assert (sum(hands[0][1]), sum(hands[1][1])) == (0, 10)
    for lesson in some:
        assert sum(lesson.tries) == pytest.approx(1)
        assert len({*lesson.moves}) == len(lesson.moves) > 1


SIGHTS = ("known", "world")


def first_of(inputs, values, part):
    return [value for name, value in zip(inputs.names, values, strict=True) if name.startswith(part)]


def test_a_network_learns_them(kept, taught):
    """Check that the network, in eight bits, thinks of most lessons what the search thinks."""
    inputs, some = taught
    fitted = Fitted(kept.network, inputs.names, inputs.outputs)
    hits, chance, off = 0, 0.0, []
    for lesson in some:
        *outputs, margin = fitted(lesson.known)
        values = [sum(outputs[column] for column in inputs.columns(move)) for move in lesson.moves]
        hits += lesson.tries[values.index(max(values))] == max(lesson.tries)
        chance += 1 / len(lesson.moves)
        off.append(margin / ONE - lesson.margin)
    assert hits > 1.6 * chance
    assert np.std(off) < 0.85 * np.std([lesson.margin for lesson in some])


def test_the_same_lessons_give_the_same_network(game, kept, taught):
    assert distilling.network_of([game], [taught]) == kept


def test_the_gradient_is_the_slope_of_the_loss(taught):
    """Check the gradients of some weights against differences of the loss."""
    joint, _, outputs = training.joined([taught])
    trainer = training.Trainer(joint, len(outputs), hidden=(6, 5))
    batch = joint.some(np.arange(40))
    batch = batch._replace(inputs=trainer.scaled(batch.inputs), margins=batch.margins / np.float32(10))
    for values in (parameters := trainer._parameters):
        values[...] = values.astype(np.float64)
    trainer.weights = [values.astype(np.float64) for values in trainer.weights]
    trainer.biases = [values.astype(np.float64) for values in trainer.biases]
    gradients, step = trainer._gradients(batch), 1e-5
    for values, slope in zip(trainer._parameters, gradients, strict=True):
        place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        losses = []
        for change in (step, -2 * step):
            values[place] += change
            losses.append(loss(trainer, batch))
        values[place] += step
        assert (losses[0] - losses[1]) / (2 * step) == pytest.approx(slope[place], rel=0.02)
    assert len(parameters) == len(gradients)


def loss(trainer, batch):
    """Return the cross-entropy to the search's tries, and half the squared error of the margin."""
    outputs = trainer.layers(batch.inputs)[-1]
    chances = training.chances_of(outputs[:, : trainer.outputs], batch)
    entropy = -(batch.tries * np.log(chances)).sum() / len(batch.margins)
    return entropy + 0.5 * ((outputs[:, trainer.outputs] - batch.margins) ** 2).mean()


def test_two_numbers_of_players_share_one_network(game, taught):
    """Check that inputs and outputs are joined by name, and that every position has its own moves."""
    other = distilling.taught(de.load("sushi_go", players=3), 1)
    joint, names, _ = training.joined([taught, other])
    assert {*taught[0].names} | {*other[0].names} == {*names}
    assert len(joint.margins) == 2 * (len(taught[1]) + len(other[1]))
    last = joint.inputs[-len(other[1]) :]
    assert last[:, names.index("3 players")].all()
    assert not last[:, names.index("2 players")].any()
    counts = [last - first for first, last in pairwise(joint.starts)]
    assert counts[-len(other[1]) :] == [len(lesson.moves) for lesson in other[1]]


def test_selections_of_variants_share_the_lessons(monkeypatch, tmp_path):
    """Check that games with the same number of players share positions; the first names the file."""
    selections = [[], ["pass_both_ways"]]
    games = [de.load("sushi_go", players=players, variants=variants) for variants in selections for players in (2, 3)]
    asked, teach = [], distilling.taught

    def note(game, positions, tell, sharing, entry):
        inputs, lessons = teach(game, positions, tell, sharing, entry)
        asked.append((game.players, game.variants, sharing, positions // 2 <= len(lessons) < positions))
        return inputs, lessons

    monkeypatch.setattr(distilling, "ITERATIONS", 20)
    monkeypatch.setattr(distilling, "taught", note)
    monkeypatch.setattr(distilling, "levels_of", lambda game: [Setting(noise=game.players)])
    monkeypatch.setattr(distilling, "guides", lambda game: game.players == 2 or not game.variants)
    kept = distilling.distil(games, tmp_path, 200)
    assert asked == [(players, tuple(variants), 2, True) for variants in selections for players in (2, 3)]
    rules = [game.program.rules_hash for game in games[::2]]
    assert [(each.rules, each.players) for each in kept.taught] == [(each, (2, 3)) for each in rules]
    assert kept.guides == {rules[0]: {2: True, 3: True}, rules[1]: {2: True, 3: False}}
    assert kept.levels == {2: (Setting(noise=2),), 3: (Setting(noise=3),)}
