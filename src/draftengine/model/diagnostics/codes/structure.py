"""The codes of structure and overlays: keys and values, what a file extends, variants and readings.

The examples are parts of card sets: the keys that matter.
"""

from __future__ import annotations

from draftengine.model.diagnostics.entry import Entry

_KEYS = (
    Entry(
        "unknown-key",
        "A key is not known here",
        "An unknown key is never ignored: it is most often a misspelt one, and then a rule would silently be missing.",
        "cards:\n  soup: {cout: 20}\n  bread: {count: 20}\n",
        "cards:\n  soup: {count: 20}\n  bread: {count: 20}\n",
    ),
    Entry(
        "required-key",
        "A key is missing",
        "Some keys have no default, because nobody could guess them.",
        "cards:\n  soup: {label: Onion soup}\n  bread: {count: 20}\n",
        "cards:\n  soup: {label: Onion soup, count: 20}\n  bread: {count: 20}\n",
    ),
    Entry(
        "bad-series",
        "A series of cards can't be written out",
        "One entry stands for many cards: series says from which number to which, and the letter stands in the name, "
        "in braces.",
        "cards:\n  number: {series: {n: 1-20}, count: 1}\n",
        'cards:\n  "n{n}": {series: {n: 1-20}, count: 1}\n',
    ),
    Entry(
        "one-verb",
        "Exactly one of several keys is allowed",
        "A step does one thing, and so does an effect; a repetition has one end, a tie-breaker one measure.",
        "setup:\n  - {shuffle: deck, gather: deck}\n",
        "setup:\n  - gather: deck\n  - shuffle: deck\n",
    ),
    Entry(
        "bad-name",
        "A name has the wrong characters",
        "Names of cards, counters, steps and so on are used in formulas and commands, so they are plain: small "
        "letters, digits and underscores, with a letter first. What players read is the label; that can be any text.",
        "cards:\n  Onion Soup: {count: 20}\n  soup: {count: 20}\n  bread: {count: 20}\n",
        "cards:\n  onion_soup: {count: 20, label: Onion Soup}\n  soup: {count: 20}\n  bread: {count: 20}\n",
    ),
    Entry(
        "reserved-name",
        "A name belongs to every game",
        "The zones deck, hand, tableau and discard are there in every game and can't be declared again.",
        "zones:\n  deck: {per: table}\n",
        "zones:\n  second_deck: {per: table}\n",
    ),
)

_VALUES = (
    Entry(
        "wrong-type",
        "A value is of the wrong kind",
        "A text stands where a number is needed, a list where a mapping is needed, or the like.",
        "rounds: three\n",
        "rounds: 3\n",
    ),
    Entry(
        "not-allowed-value",
        "A value is none of the possible ones",
        "Where a key has a few possible values, all others are mistakes.",
        "winner: {order: least}\n",
        "winner: {order: fewest}\n",
    ),
    Entry(
        "out-of-range",
        "A number is too small or too large",
        "Numbers have limits that no printed game comes near, so that a file can't use up all memory.",
        "rounds: 200\n",
        "rounds: 2\n",
    ),
    Entry(
        "wrong-length",
        "A list or a text is too short or too long",
        "Some lists need an entry to mean anything, and all have limits.",
        "chips:\n  prizes: {values: []}\n",
        "chips:\n  prizes: {values: [3, 4, 5]}\n",
    ),
    Entry(
        "wrong-form",
        "A text does not have the form that is needed here",
        "Players are a number or a range, versions are three numbers, addresses begin with https://.",
        "version: 1.0.0.0\n",
        "version: 1.0.0\n",
    ),
    Entry(
        "unsupported-format",
        "The file is written for a newer draftengine",
        "`format` is the version of the language. A newer one may say things that this draftengine does not know.",
        "format: 2\n",
        "format: 1\n",
    ),
)

_EXTENDS = (
    Entry(
        "extends-name",
        "What is extended is not a plain name",
        "A file extends a card set that comes with draftengine, by its id, or a file in the same folder, by its name. "
        "Paths and addresses are left out, so that opening a card set opens nothing unexpected.",
        "extends: ../other/soup.yaml\n",
        "extends: soup.yaml\n",
    ),
    Entry("extends-unknown", "What is extended is not there", "There is no card set of that name."),
    Entry(
        "extends-cycle",
        "A card set extends itself",
        "By way of others, or directly. One of them has to be a whole game.",
    ),
    Entry(
        "extends-id",
        "A card set has the id of the one that it extends",
        "By its id a game is named, so two of them cannot be told apart.",
        severity="warning",
    ),
    Entry("extends-too-deep", "Too many card sets extend one another", "At most 8 card sets may be extended in a row."),
)

_OVERLAYS = (
    Entry(
        "overlay-patches-nothing",
        "A change is about something that is not there",
        "A step that is changed by its id, or a key that is removed with null, has to exist.",
        "variants:\n  short: {title: Short, changes: {cards: {sup: null}}}\n",
        "variants:\n  short: {title: Short, changes: {rounds: 1}}\n",
    ),
    Entry(
        "overlay-changes-nothing",
        "A change sets what is already so",
        "It may be left over from an earlier version of the game below it.",
        "variants:\n  short: {title: Short, changes: {rounds: 2}}\n",
        "variants:\n  short: {title: Short, changes: {rounds: 1}}\n",
        "warning",
    ),
    Entry(
        "overlay-overruled",
        "A variant says otherwise what a change adds",
        "A variant is applied after everything that a file says of the game itself. What the file adds there under the "
        "name of something that the variant brings holds only where the variant is not played; to change what it "
        "brings, change the variant: `variants: {NAME: {changes: …}}`.",
        severity="warning",
    ),
    Entry(
        "text-quotes-nothing",
        "A text quotes a number that is not there",
        "A text in braces quotes what the card adds, or a number of its rule: `{size}`, `{points}`, `{most.2}` for the "
        "second of a list, with the name of another rule before it `{soup.points}`. A text that cannot be filled is "
        "left out.",
        'cards:\n  soup: {count: 20, text: "{pionts} for each."}\n  bread: {count: 20}\n',
        'cards:\n  soup: {count: 20, text: "{points} for each."}\n  bread: {count: 20}\n',
        "warning",
    ),
    Entry(
        "allows-nothing",
        "A comment allows nothing",
        "A comment `# allow CODE: reason` lets a warning of its line, or of the next, stand. It needs a reason, and "
        "goes with the warning. Errors cannot be allowed.",
        severity="warning",
    ),
    Entry(
        "include-unknown",
        "A file to include is not there",
        "A card set includes files below its own folder, such as `dishes/soup.yaml`; each has `variants`, and perhaps "
        "`sources` and `examples`.",
    ),
    Entry(
        "include-clash",
        "Two files that are included say the same name",
        "What is included adds to the card set; a variant or a statement stands in one file only.",
    ),
    Entry(
        "removal-incomplete",
        "What a file removes is still needed",
        "A file that extends another one removes something that other parts of the game name. The finding says what "
        "else has to go; `validate --fix` writes it.",
    ),
    Entry(
        "step-lost",
        "A change takes the last pass or the last clear out of the flow",
        "Then hands are never passed on, or what lies in the tableaus stays there and is scored again next time.",
        severity="warning",
    ),
    Entry(
        "nearly-known-name",
        "A new name is nearly one that is there",
        "A change adds a card, a rule or another thing whose name differs by a letter from one of the game. If it is "
        "meant to be new, give it a label.",
        "variants:\n  many: {title: Many, changes: {cards: {sopu: {count: 30}}}}\n",
        "variants:\n  many: {title: Many, changes: {cards: {soup: {count: 30}}}}\n",
        "warning",
    ),
    Entry(
        "variant-conflict",
        "Two variants can't be played together",
        "They exclude each other, are of one group, or write the same key. If the second is meant to be applied after "
        "the first, it says `builds_on`.",
    ),
    Entry(
        "variant-needs",
        "A variant lacks what it needs",
        "Another variant, or another number of players.",
    ),
    Entry(
        "unknown-variant",
        "There is no such variant",
        "The name is none of the variants of this card set.",
        "variants:\n  short: {title: Short, excludes: [long]}\n",
        "variants:\n  short: {title: Short, excludes: [long]}\n  long: {title: Long}\n",
    ),
    Entry("unknown-reading", "There is no such reading", "The name is none of the readings of this card set."),
    Entry(
        "unknown-option",
        "A reading has no such option",
        "The name is none of the options of this reading.",
        'readings:\n  ties: {question: "Ties?", default: shard, options: {shared: {text: The win is shared.}}}\n',
        'readings:\n  ties: {question: "Ties?", default: shared, options: {shared: {text: The win is shared.}}}\n',
    ),
    Entry(
        "unknown-parameter",
        "There is no such parameter",
        "The name is no parameter of this card set or of the variants that are played.",
    ),
    Entry(
        "parameter-value",
        "A parameter can't have this value",
        "Its declaration lists the possible ones.",
        "parameters:\n  hand_size: {default: 6, values: [7, 8]}\n",
        "parameters:\n  hand_size: {default: 7, values: [7, 8]}\n",
    ),
)

TABLE: tuple[Entry, ...] = (*_KEYS, *_VALUES, *_EXTENDS, *_OVERLAYS)
