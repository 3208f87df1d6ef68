"""Card sets within all limits that take as long as possible to check, each for a different reason."""

from __future__ import annotations

from itertools import count

ROUND = """setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 2}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
  - score: round
  - gather: deck
  - shuffle: deck
"""
CARDS = 28


def file(*parts, players="2-5", rounds=3, copies=8, flow=ROUND):
    """Return the text of a card set with cards `c0`, `c1` and so on."""
    head = f"format: 1\nid: large\ntitle: Large\nversion: 1.0.0\nplayers: {players}\nrounds: {rounds}\ncards:\n"
    cards = "".join(f"  c{number}: {{count: {copies}}}\n" for number in range(CARDS))
    return head + cards + flow + "".join(parts) + "winner: {order: most}\n"


def together(names, first=0):
    """Return a formula that adds up `names` cards in a balanced tree of sums."""
    parts = [f"c{(first + number) % CARDS}" for number in range(names)]
    while len(parts) > 1:
        parts = [
            f"({parts[at]}+{parts[at + 1]})" if at + 1 < len(parts) else parts[at] for at in range(0, len(parts), 2)
        ]
    return parts[0]


def section(name, entries):
    return f"{name}:\n" + "".join(f"  {entry}\n" for entry in entries)


def rules(number, names):
    """Return `number` rules with a formula over `names` cards each."""
    return section(
        "scoring",
        (f"r{at}: {{kind: formula, points: 'min({together(names, at)},100)'}}" for at in range(number)),
    )


def changes(number, names=1):
    """Return a change of the rule with this number."""
    return f"{{scoring: {{r{number}: {{points: 'min({number}+{together(names, number)},100)'}}}}}}"


def variants(number, names=1):
    return section("variants", (f"v{at}: {{title: V, changes: {changes(at, names)}}}" for at in range(number)))


def totals(terms):
    """Return 80 rules whose formulas add up `terms` functions over all seats."""
    sums = ("+".join(f"total(c{(at + term) % CARDS})" for term in range(terms)) for at in range(80))
    return section(
        "scoring", (f"r{at}: {{kind: formula, points: 'min({own},{100 + at})'}}" for at, own in enumerate(sums))
    )


def long_formulas():
    whens = (f"total({together(80, at + 1)}) > {at}" for at in count())
    return section(
        "scoring",
        (
            f"r{at}: {{kind: formula, points: 'min({together(80, at)},100)', when: '{next(whens)}'}}"
            for at in range(100)
        ),
    )


def readings():
    """Return 50 readings with 19 options each."""
    return section(
        "readings",
        (
            f"q{at}: {{question: Q, default: a, options: {{a: {{text: A}}, "
            + ", ".join(
                f"o{own}: {{text: O, changes: {{scoring: {{r{at}: {{points: '{own}+c1'}}}}}}}}" for own in range(18)
            )
            + "}}"
            for at in range(50)
        ),
    )


def long_rounds(when=""):
    """Return a card set with 49 turns of 80 passes in each round; `when` can make all turns different."""
    steps = [
        "{choose: {from: hand, to: spare}}",
        "{move: {from: spare, to: hand}}",
        *[f"{{pass: {{zone: hand, to: left}}{when}}}"] * 80,
    ]
    flow = (
        "zones: {spare: {per: seat, seen_by: owner}}\nround:\n  - deal: {to: hand, cards: 1}\n"
        f"  - repeat: {{times: 49, do: [{', '.join(steps)}]}}\n  - score: round\n  - gather: deck\n"
    )
    return file("scoring:\n  a: {kind: each, of: c1, points: 1}\n", players="2-60", rounds=20, copies=17, flow=flow)


def examples():
    """Return 200 worked examples, each with a different selection or number of players."""
    entries = (
        f"- {{name: e{at}, players: {2 + at % 4}, variants: [v{at % 50}], "
        f"tables: {[['c1'], *[['c2']] * (1 + at % 4)]}, "
        "expect: {points: {r59: [0, 0]}}}"
        for at in range(200)
    )
    return section("examples", entries)


def many_cards(cards, *parts):
    """Return a card set with `cards` cards more than those that its rules name."""
    more = "".join(f"  d{at}: {{count: 2, family: f{at % 3}, adds: {{dots: {1 + at % 4}}}}}\n" for at in range(cards))
    return file(rules(50, 4), *parts).replace("cards:\n", f"cards:\n{more}", 1)


def modifiers():
    """Return a card set with 18 modifiers for 180 cards, six for each of them, and 50 variants."""
    added = "\n".join(f"  m{at}: {{count: 1}}" for at in range(18))
    own = (
        f"m{at}: {{card: m{at}, applies_to: f{at % 3}, then: {{dots: amount * 2}}, stacks: true}}" for at in range(18)
    )
    return many_cards(180, section("modifiers", own), variants(50)).replace("cards:\n", f"cards:\n{added}\n", 1)


def wild_cards():
    """Return a card set with twenty wild cards that may be any of 220 cards, and 30 variants."""
    wild = "".join(f"  w{at}: {{count: 1, forms: {{of: any, when: card > 0}}}}\n" for at in range(20))
    return many_cards(220, variants(30)).replace("cards:\n", f"cards:\n{wild}", 1)


def wrong_names():
    """Return a card set with ten unknown names in each of 50 variants, each similar to many cards."""
    changes = ("scoring: {" + ", ".join(f"r{at}: {{points: k{of}{at}}}" for at in range(10)) + "}" for of in range(50))
    return many_cards(
        250, section("variants", (f"v{at}: {{title: V, changes: {{{own}}}}}" for at, own in enumerate(changes)))
    )


def wrong_keys():
    """Return a card set in which four keys of each of 250 cards are misspelt."""
    return many_cards(250).replace("count: 2, family", "cuont: 2, famly: a, txet: a, keap: true, fmily")


def definitions():
    """Return 50 definitions that each use the previous one twice, which grows exponentially."""
    own = (f"'d{at}(x)': {f'd{at - 1}(d{at - 1}(x))' if at else 'x + x'}" for at in range(50))
    return file(section("define", own), rules(3, 2))


LARGE = {
    "80 formulas and 49 variants": (lambda: file(totals(13), variants(49)), []),
    "long formulas": (lambda: file(long_formulas()), ["argument-twice"]),
    "long formulas and variants": (lambda: file(long_formulas(), variants(50, 80)), ["not-all-checked"]),
    "99 numbers of players": (
        lambda: file(rules(100, 80), players="1-99", rounds=5, copies=17),
        ["argument-twice", "rule-twice"],
    ),
    "900 answers": (lambda: file(rules(60, 20), readings()), ["not-all-checked"]),
    "long rounds": (long_rounds, ["card-does-nothing", "rule-never-scores"]),
    "rounds too long to follow": (lambda: long_rounds(", when: turn > round"), ["endless-turns", "not-all-checked"]),
    "modifiers": (modifiers, ["never-used", "not-all-checked", "rule-twice"]),
    "wild cards": (wild_cards, ["not-all-checked"]),
    "a wrong name in each variant": (wrong_names, ["rule-twice", "unknown-name"]),
    "wrong keys": (wrong_keys, ["rule-twice", "unknown-key"]),
    "definitions": (definitions, ["card-does-nothing", "formula-syntax"]),
    "tabs": (
        lambda: "format: 1\ncards:\n" + "\tc: {count: 1}\n" * 10_000,
        ["duplicate-key", "tab", "too-many-findings"],
    ),
    "200 examples": (lambda: file(rules(60, 20), variants(50), examples()), ["not-all-checked", "rule-twice"]),
}
"""Texts by the thing that they have much of, with the codes that validation finds."""
