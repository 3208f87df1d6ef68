"""The codes of the game itself: names, formulas, the deck and the turns, what scores and what nothing notices.

The examples are parts of card sets: the keys that matter.
"""

from __future__ import annotations

from draftengine.model.diagnostics.entry import Entry

_NAMES = (
    Entry(
        "unknown-card",
        "There is no such card",
        "A modifier, an ability, a wild card or an effect names a card or family that is not declared under cards.",
        "modifiers:\n  hot: {card: spice, applies_to: soup, then: {bowls: 2}}\n",
        "modifiers:\n  hot: {card: bread, applies_to: soup, then: {bowls: 2}}\n",
    ),
    Entry(
        "unknown-zone",
        "There is no such zone",
        "Every game has deck, hand, tableau and discard; any other zone is declared under zones.",
        "setup:\n  - shuffle: dekc\n",
        "setup:\n  - shuffle: deck\n",
    ),
    Entry(
        "unknown-marker",
        "There is no such marker",
        "A step or an effect names a marker that is not declared under markers.",
        "finish:\n  - give: {marker: crown, to: nobody}\n",
        "markers: {crown: {start: first}}\nfinish:\n  - give: {marker: crown, to: nobody}\n",
    ),
    Entry(
        "unknown-chip-pile",
        "There is no such pile of chips",
        "A rule or an effect draws chips from a pile that is not declared under chips.",
        "scoring:\n  soup: {kind: majority, of: soup, chip: coins}\n",
        "chips: {coins: {values: [1, 2]}}\nscoring:\n  soup: {kind: majority, of: soup, chip: coins}\n",
    ),
    Entry(
        "unknown-extra-seat",
        "There is no such extra seat",
        "A choice is made for a seat that is not declared under extra_seats.",
    ),
    Entry(
        "unknown-score-label",
        "Nothing is scored there",
        "A rule or a trigger waits for a score step that is nowhere in the flow.",
        "scoring:\n  soup: {kind: each, of: soup, points: 1, at: game}\n",
        "finish: [{score: game}]\nscoring:\n  soup: {kind: each, of: soup, points: 1, at: game}\n",
    ),
    Entry(
        "unknown-counter",
        "There is no such counter",
        "An effect changes a counter that is neither added by cards nor declared under counters.",
    ),
    Entry("unknown-die", "There is no such die", "Only a counter that is declared with die can be rolled."),
    Entry(
        "unknown-place",
        "A layout has no such place",
        "Places are called r1c2: row 1, column 2. What covers a place has to be a place of the same layout.",
    ),
    Entry(
        "unknown-citation",
        "There is no such rulebook statement",
        "Where a file declares sources, every source has to be one of them.",
        "sources: {K-1: Soup is hot.}\nsetup:\n  - {shuffle: deck, source: K-2}\n",
        "sources: {K-1: Soup is hot.}\nsetup:\n  - {shuffle: deck, source: K-1}\n",
    ),
    Entry(
        "name-clash",
        "A name means two things",
        "Cards, families, counters, parameters, zones and markers share one namespace, because formulas name them all.",
        "counters: {soup: {start: 1}}\n",
        "counters: {bowls: {start: 1}}\n",
    ),
    Entry(
        "taken-name",
        "A name has a meaning of its own",
        "Facts such as points and round, functions such as most and words such as and can't be names of other things.",
        "markers: {turn: {start: first}}\n",
        "markers: {lamp: {start: first}}\n",
    ),
    Entry(
        "wild-form",
        "A wild card is the form of another",
        "A wild card is played as an ordinary card.",
    ),
    Entry(
        "face-given-away",
        "A wild card looks like another card",
        "A face hides what a card is until it is played, but a wild card is offered in its forms before.",
        "cards:\n  soup: {count: 20, face: bowl}\n  bread: {count: 20}\n"
        "  guest: {count: 4, face: bowl, forms: {of: [bread]}}\n",
        "cards:\n  soup: {count: 20}\n  bread: {count: 20}\n  guest: {count: 4, forms: {of: [bread]}}\n",
    ),
)

_FORMULAS = (
    Entry(
        "unusable-number",
        "A rule cannot work with a number",
        "A set needs at least one card, and nobody can draw fewer than no chips.",
        "scoring:\n  soup: {kind: set, of: soup, size: players - 2, points: 1}\n",
        "scoring:\n  soup: {kind: set, of: soup, size: players - 1, points: 1}\n",
    ),
    Entry(
        "counter-unlimited",
        "A counter can grow without end",
        "The engine needs to know how large a counter can become. Effects that change it need bounds: min and max.",
    ),
    Entry(
        "points-unlimited",
        "Points can grow without end",
        "No seat may get further from 0 than ten million points, so that formulas never fail.",
        "scoring:\n  soup: {kind: formula, points: points}\n",
        "scoring:\n  soup: {kind: formula, points: 10 * round}\n",
    ),
    Entry(
        "too-many-modifiers",
        "Too many modifiers apply to one card",
        "Every combination of modifiers on a card is worked out before play, so there can be at most six.",
    ),
    Entry(
        "too-many-pieces",
        "Cards with modifiers lie in too many ways",
        "Where a card on a modifier can leave the tableau, or a modifier can, each way in which such a card can lie"
        " there is a play of its own: there can be at most 1,000.",
    ),
    Entry(
        "card-not-plain",
        "Cards that are not plain",
        "Where cards count in more zones than the tableau, or leave it before it is cleared, all see which of them"
        " goes: no two share a face. And what others can be asked for by its name is neither wild nor has a face.",
    ),
    Entry(
        "wild-card-leaves",
        "The card of an ability is wild, or a wild card is played as it",
        "When an ability is used its own card leaves the tableau. A wild card that stands for it is not that card, and "
        "one that is wild itself lies there as another card.",
    ),
)

_FLOW = (
    Entry(
        "deck-runs-out",
        "There are too few cards to deal",
        "The flow is played with card counts before anybody plays: every deal has to find the cards it needs, in every "
        "round and with every number of players. Where it depends on play whether there are enough, this is a warning, "
        "and a game in which there are not ends there.",
        "rounds: 20\n",
        "rounds: 2\n",
    ),
    Entry(
        "text-contradicts-rule",
        "A text says another number than its rule",
        "The printed text of a card names a number that neither the card nor the rules about it have, for example "
        "after a house rule has changed them, or not all numbers of a list that a house rule has made longer. A text "
        "that quotes its rule in braces always says what the rule says.",
        "cards:\n  soup: {count: 20, text: Two make a set worth 7 points.}\n  bread: {count: 20}\n",
        'cards:\n  soup: {count: 20, text: "{size} make a set worth {points} points."}\n  bread: {count: 20}\n',
    ),
    Entry(
        "endless-turns",
        "Turns have no end",
        "Every game ends, after 1000 turns at most. Each repeat needs a number of turns (`times`, `at_most`, a "
        "condition on `turn`), or a zone that only shrinks: then the card counts show that its turns are used up. "
        "Where nothing proves that a repeat ends, this is a warning; a game in which it goes on too long ends there.",
        "round:\n  - repeat: {until: total(soup) > 9, do: [{score: round}]}\n",
        "round:\n  - repeat: {until: total(soup) > 9, at_most: 12, do: [{score: round}]}\n",
    ),
    Entry(
        "bad-count",
        "A number of cards or turns is of no use",
        "It came to a number below what the step needs, or it depends on what was played.",
        "round:\n  - deal: {to: hand, cards: players - 4}\n  - score: round\n",
        "round:\n  - deal: {to: discard, cards: players + 4}\n  - score: round\n",
    ),
    Entry(
        "missing-player-count",
        "A table by players lacks a line",
        "A number that differs by players has to be there for each number of players.",
        "round:\n  - deal: {to: discard, cards: {2: 5, 3: 4}}\n  - score: round\n",
        "round:\n  - deal: {to: discard, cards: {2: 5, 3: 4, 4: 4}}\n  - score: round\n",
    ),
    Entry(
        "misplaced-step",
        "This step cannot stand here",
        "A round or a game can be ended while a round is played, not in the setup nor in the finish. In a list of one "
        "seat, such as `on_play`, every step is for that seat.",
        "finish: [{end: game}]\n",
        "round: [{end: game, when: most(points) > 20}]\n",
    ),
    Entry(
        "zone-misuse",
        "A zone is not for that",
        "For example a choice from an empty hand or from a shared pile, dealing into a tableau, or cards that count "
        "in a zone which is shared or hidden.",
        "finish: [{shuffle: hand}]\n",
        "finish: [{shuffle: discard}]\n",
    ),
    Entry(
        "blind-choice",
        "A choice from cards that nobody sees",
        "Whoever chooses is told by name what there is to choose from.",
        "zones: {pile: {per: seat, seen_by: nobody}}\n"
        "round:\n  - deal: {to: pile, cards: 3}\n  - choose: {from: pile}\n  - score: round\n",
        "zones: {pile: {per: seat, seen_by: owner}}\n"
        "round:\n  - deal: {to: pile, cards: 3}\n  - choose: {from: pile}\n  - score: round\n",
    ),
    Entry("layout-too-small", "A layout has too few places", "More cards are dealt into it than it has places."),
    Entry(
        "layout-too-large",
        "A layout has too many places",
        "Fewer cards are dealt into it than it has places, and the rest stays empty.",
        severity="warning",
    ),
    Entry("cover-cycle", "Places cover each other in a circle", "Then none of them can ever be uncovered."),
    Entry(
        "marker-seat",
        "A marker starts at a seat that may not exist",
        "Seats count from 0, and there have to be so many with the fewest players.",
        "markers: {lamp: {start: 2}}\nfinish: [{give: {marker: lamp, to: left}}]\n",
        "markers: {lamp: {start: 1}}\nfinish: [{give: {marker: lamp, to: left}}]\n",
    ),
    Entry(
        "marker-never-held",
        "A step waits for the holder of a marker that nobody gets",
        "Nobody holds it at the start, and nothing gives it to anybody.",
    ),
)

_SENSE = (
    Entry(
        "rule-never-scores",
        "A rule can never score",
        "Whatever happens, nobody gets a point by it: there are too few such cards, or its step is never reached.",
        "scoring:\n  soup: {kind: set, of: soup, size: 30, points: 5}\n",
        "scoring:\n  soup: {kind: set, of: soup, size: 3, points: 5}\n",
    ),
    Entry(
        "score-without-rules",
        "A score step scores nothing",
        "No rule and no trigger waits for its label.",
        "finish: [{score: game}]\n",
        "finish: []\n",
        "warning",
    ),
    Entry(
        "card-does-nothing",
        "Nothing notices a card",
        "No rule, modifier, ability, trigger or tie-breaker looks at it, at its family or at what it adds.",
        "cards:\n  soup: {count: 20}\n  bread: {count: 20}\n  salt: {count: 4}\n",
        "cards:\n  soup: {count: 20}\n  bread: {count: 20}\n",
        "warning",
    ),
    Entry(
        "modifier-does-nothing",
        "A modifier changes nothing",
        "It applies to no card in the deck, or it changes a counter that these cards do not add or that nothing reads.",
        "modifiers:\n  hot: {card: bread, applies_to: soup, then: {heat: 2 * amount}}\n",
        "modifiers:\n  hot: {card: bread, applies_to: soup, then: {soups: 2}}\n"
        "scoring:\n  soups: {kind: each, of: soups, points: 1}\n",
        "warning",
    ),
    Entry(
        "never-used",
        "Something is declared and never used",
        "A counter, zone, extra seat, marker or pile of chips about which nothing asks.",
        "chips: {coins: {values: [1, 2]}}\n",
        "chips: {coins: {values: [1, 2]}}\nscoring:\n  soup: {kind: majority, of: soup, chip: coins}\n",
        "warning",
    ),
    Entry(
        "never-changes",
        "A counter that nothing changes",
        "No card adds to it, no effect changes it, and if it is a die nobody rolls it, so what asks for it always gets "
        "the same number.",
        "counters: {luck: {die: 6}}\nscoring:\n  luck: {kind: each, of: luck, points: 1}\n",
        "cards:\n  soup: {count: 20, on_play: [{roll: luck}]}\ncounters: {luck: {die: 6}}\nscoring:\n"
        "  luck: {kind: each, of: luck, points: 1}\n",
        "warning",
    ),
    Entry(
        "label-twice",
        "Two cards are called the same",
        "Nobody can tell them apart where they are chosen or counted. Cards that shall look alike have one `face`.",
        "cards:\n  soup: {count: 20, label: Soup}\n  bread: {count: 20, label: Soup}\n",
        "cards:\n  soup: {count: 20, label: Soup}\n  bread: {count: 20, label: Bread}\n",
        "warning",
    ),
    Entry(
        "lonely-face",
        "A face of one card alone",
        "A face makes several cards look alike until they are played.",
        "cards:\n  soup: {count: 20, face: bowl}\n  bread: {count: 20}\n",
        "cards:\n  soup: {count: 20, face: bowl}\n  bread: {count: 20, face: bowl}\n",
        "warning",
    ),
    Entry(
        "useless-tie-breaker",
        "A tie-breaker never decides",
        "Tied seats have the same of what it compares.",
        "winner: {order: most, tie_breakers: [{most: points}]}\n",
        "winner: {order: most, tie_breakers: [{most: bread}]}\n",
        "warning",
    ),
    Entry(
        "never-shuffled",
        "A covered pile is dealt from and never shuffled",
        "Its cards lie in the order in which the file names them, so every game would begin alike. Of a pile that "
        "everybody sees that is meant: chips that fall in value, for example.",
        "setup: []\n",
        "setup: [{shuffle: deck}]\n",
        "warning",
    ),
    Entry(
        "score-left-out",
        "The only round may end before anything is scored in it",
        "Where a round ends at once, what follows in it is left out, also its scoring. If that is meant, allow it.",
        "rounds: 1\nround:\n  - {end: round, when: total(soup) > 3}\n  - score: round\n",
        "rounds: 1\nround:\n  - score: round\n  - {end: round, when: total(soup) > 3}\n",
        "warning",
    ),
    Entry(
        "place-never-given",
        "A ranking has more places than seats",
        "Even with the most players nobody can take the last places.",
        "scoring:\n  soup: {kind: majority, of: soup, most: [6, 5, 4, 3, 2, 1]}\n",
        "scoring:\n  soup: {kind: majority, of: soup, most: [6, 3]}\n",
        "warning",
    ),
    Entry(
        "not-all-checked",
        "A card set is too large to check all of it",
        "So many variants, answers and numbers of players multiply; those that are left out are checked when played.",
        severity="warning",
    ),
    Entry(
        "needs-never-met",
        "Nobody can play a variant",
        "No number of players that the game allows meets what it needs.",
        "variants: {many: {title: Many, needs: players > 6, changes: {rounds: 1}}}\n",
        "variants: {many: {title: Many, needs: players > 3, changes: {rounds: 1}}}\n",
    ),
    Entry(
        "variant-contradiction",
        "A variant requires what it excludes",
        "It can never be played, because the variant it requires is excluded or of the same group.",
        "variants:\n  one: {title: One, requires: [two], excludes: [two], changes: {rounds: 1}}\n"
        "  two: {title: Two, changes: {players: 2}}\n",
        "variants:\n  one: {title: One, requires: [two], changes: {rounds: 1}}\n"
        "  two: {title: Two, changes: {players: 2}}\n",
    ),
)

TABLE = (*_NAMES, *_FORMULAS, *_FLOW, *_SENSE)
