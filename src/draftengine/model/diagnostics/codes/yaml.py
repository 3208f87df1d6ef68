"""The codes of reading a file: bytes, limits, YAML's own syntax, and what card sets leave out of YAML."""

from __future__ import annotations

from draftengine.model.diagnostics.entry import Entry

_BYTES = (
    Entry(
        "file-too-large",
        "The file is too large",
        "A card set has at most 256 KiB. No game needs more; a larger file is most likely another file.",
    ),
    Entry(
        "wrong-encoding",
        "The file is not in UTF-8",
        "Card sets are read as UTF-8 on every computer, so that names with accents look the same everywhere. "
        "Most editors can save a file with another encoding.",
    ),
    Entry(
        "control-character",
        "The text contains an invisible character",
        "Control characters, line ends that only some programs see, and signs that change the direction of writing "
        "make a text look different from what it says.",
    ),
)

_LIMITS = (
    Entry(
        "too-deep",
        "Lists and keys are nested too deep",
        "At most 32 lists and mappings may lie in each other. Card sets need about 10.",
        bad="setup: " + "[" * 32 + "]" * 32 + "\n",
        good="setup: [[[]]]\n",
    ),
    Entry(
        "too-many-values",
        "The file holds too many values",
        "A card set has at most 50,000 keys and values.",
    ),
    Entry(
        "text-too-long",
        "A text is too long",
        "A single text has at most 4 KiB. A longer one is most often the rest of a file after an open quote.",
    ),
    Entry(
        "number-too-large",
        "A number is too large",
        "Numbers have at most 6 digits. A text of digits stands in quotes.",
        bad="year: 20240131\n",
        good='year: "20240131"\n',
    ),
    Entry(
        "too-many-findings",
        "There are too many mistakes to list",
        "After 100 mistakes the search ends.",
    ),
)

_SHAPE = (
    Entry(
        "empty-file", "The file is empty", "A file with nothing but comments is no card set.", "# Soup\n", "format: 1\n"
    ),
    Entry(
        "not-a-mapping",
        "The file does not consist of keys with values",
        "At the top of a card set are keys such as format, id and cards, each with a colon.",
        "- format: 1\n",
        "format: 1\n",
    ),
    Entry(
        "several-documents",
        "The file holds more than one document",
        "A line --- begins another document; a card set is only one.",
        "format: 1\n---\nformat: 1\n",
        "---\nformat: 1\n",
    ),
    Entry(
        "duplicate-key",
        "A key stands twice in the same place",
        "Most programs keep the last of the two and say nothing. Here it is an error.",
        "cards:\n  soup: {count: 4}\n  soup: {count: 5}\n",
        "cards:\n  soup: {count: 4}\n  bread: {count: 5}\n",
    ),
    Entry(
        "complex-key",
        "A list or mapping stands in the place of a key",
        "Keys are single words. The mistake is most often a text that begins with a bracket and is not in quotes.",
        "title: {{name}}\n",
        'title: "{{name}}"\n',
    ),
    Entry(
        "key-not-text",
        "A key is not a text",
        "true, false, null and ~ without quotes are values, and keys are texts or whole numbers.",
        "title: {null: Soup}\n",
        'title: {"null": Soup}\n',
    ),
    Entry("missing-key", "There is no key before a colon", "Every value has a key.", "format: 1\n: 2\n", "format: 1\n"),
    Entry(
        "missing-value",
        "A key within braces has no value",
        "Within { } every key has a value. Lists are written with [ ].",
        "tables: {soup: 1, bread}\n",
        "tables: {soup: 1, bread: 1}\n",
    ),
    Entry(
        "merge-key",
        "<< is not a key of card sets",
        "Merging is left out, because a reader would have to look in two places. Card sets can build on each other "
        "with extends.",
        "soup:\n  <<: {count: 4}\n",
        "soup:\n  count: 4\n",
    ),
    Entry(
        "anchor",
        "A value begins with &",
        "In YAML & names a value, so that it can be repeated. Card sets have no repetitions; a text that begins with & "
        "stands in quotes.",
        "text: &more soup\n",
        'text: "&more soup"\n',
    ),
    Entry(
        "alias",
        "A value begins with *",
        "In YAML * repeats a named value. Card sets have no repetitions; a text that begins with * stands in quotes.",
        "text: *new* soup\n",
        'text: "*new* soup"\n',
    ),
    Entry(
        "tag",
        "A value begins with !",
        "In YAML ! names a type, which may run a program. Card sets have none; a text that begins with ! stands "
        "in quotes.",
        "count: !!int 4\n",
        "count: 4\n",
    ),
    Entry(
        "directive",
        "A line begins with %",
        "Such lines speak to the YAML program. Card sets have none.",
        "%YAML 1.2\n---\nformat: 1\n",
        "format: 1\n",
    ),
)

_WORDS = (
    Entry(
        "ambiguous-word",
        "A word is a truth value to some programs only",
        "YAML 1.1 reads yes, no, on, off, y and n as true and false, YAML 1.2 as texts; so does no, the language. Here "
        "truth values are true and false, nothing is null, and such a text stands in quotes.",
        "title: {en: Soup, no: Suppe}\n",
        'title: {en: Soup, "no": Suppe}\n',
    ),
    Entry(
        "leading-zero",
        "A number begins with a zero",
        "YAML 1.1 reads 010 as 8, YAML 1.2 as 10.",
        "count: 010\n",
        "count: 10\n",
    ),
    Entry(
        "octal-number",
        "A number is written to base 8",
        "Numbers are written to base 10.",
        "count: 0o17\n",
        "count: 15\n",
    ),
    Entry(
        "hex-number",
        "A number is written to base 16",
        "Numbers are written to base 10.",
        "count: 0x1F\n",
        "count: 31\n",
    ),
    Entry(
        "binary-number",
        "A number is written to base 2",
        "Numbers are written to base 10.",
        "count: 0b11\n",
        "count: 3\n",
    ),
    Entry(
        "underscored-number",
        "A number contains underscores",
        "Only some programs take it for a number.",
        "points: 1_000\n",
        "points: 1000\n",
    ),
    Entry("plus-sign", "A number has a plus sign", "Write the number alone.", "points: +5\n", "points: 5\n"),
    Entry(
        "sexagesimal-number",
        "A number to base 60",
        "YAML 1.1 reads 1:30 as 90. Put such a text in quotes.",
        "text: 1:30\n",
        'text: "1:30"\n',
    ),
    Entry(
        "decimal-number",
        "A number is not whole",
        "Numbers in card sets are whole. A text that looks like a decimal number, such as a version with one dot, "
        "stands in quotes.",
        "version: 1.0\n",
        "version: 1.0.0\n",
    ),
    Entry(
        "date",
        "A text looks like a date",
        "Some programs turn it into a date. Put it in quotes.",
        "text: 2024-01-31\n",
        'text: "2024-01-31"\n',
    ),
)

_QUOTES = (
    Entry(
        "tab",
        "A tab outside quotes",
        "Programs disagree how wide a tab is, so YAML wants spaces.",
        "cards:\n\tsoup: {count: 4}\n",
        "cards:\n  soup: {count: 4}\n",
    ),
    Entry(
        "unclosed-quote",
        "A quote is not closed",
        "A quote at the beginning of a text wants another at its end.",
        'title: "Two Dishes\nplayers: 2\n',
        'title: "Two Dishes"\nplayers: 2\n',
    ),
    Entry(
        "text-after-quote",
        "Something follows after a closing quote",
        "A text that begins with a quote ends with the next one.",
        "title: 'The cook's table'\n",
        'title: "The cook\'s table"\n',
    ),
    Entry(
        "bad-escape",
        "A backslash begins no code, or one for a forbidden character",
        "Within double quotes a backslash begins a code such as \\n. Within single quotes it stands for itself.",
        'title: "Two\\Dishes"\n',
        "title: 'Two\\Dishes'\n",
    ),
    Entry(
        "reserved-character",
        "A value begins with @, ` or %",
        "YAML keeps these characters for itself. Put the text in quotes.",
        "author: @cook\n",
        'author: "@cook"\n',
    ),
    Entry(
        "question-mark",
        "A question mark needs quotes",
        "Within brackets a ? ends a text without quotes.",
        "text: {en: Really?}\n",
        'text: {en: "Really?"}\n',
    ),
    Entry(
        "bad-block-text",
        "Text on the line of | or >",
        "A value that begins with | or > is a text of several lines, and begins on the next one. A text or formula "
        "that begins with these characters stands in quotes.",
        "text: | Soup\n",
        "text: |\n  Soup\n",
    ),
    Entry(
        "block-text-in-brackets",
        "A text of several lines inside brackets",
        "| and > only work on lines of their own.",
        "soup: {text: | hot}\n",
        'soup: {text: "| hot"}\n',
    ),
    Entry(
        "colon-in-text",
        "A colon in a text without quotes",
        "A colon with a space after it ends a key. Put a text that contains one in quotes.",
        "title: Two Dishes: the game\n",
        'title: "Two Dishes: the game"\n',
    ),
)

_PUNCTUATION = (
    Entry(
        "missing-space",
        "There is no space after a colon",
        "Without the space key and value are a single word.",
        "soup: {count:4}\n",
        "soup: {count: 4}\n",
    ),
    Entry(
        "missing-colon",
        "There is no colon after a key",
        "A line that is neither a list item nor the rest of a text has a key, a colon, and a value on it or below.",
        "cards\n  soup: {count: 4}\n",
        "cards:\n  soup: {count: 4}\n",
    ),
    Entry(
        "unclosed-bracket",
        "A bracket is not closed",
        "Every [ and { wants its closing bracket before the next key.",
        "round: [soup, bread\nplayers: 2\n",
        "round: [soup, bread]\nplayers: 2\n",
    ),
    Entry(
        "mismatched-bracket",
        "A bracket is closed by one of the other kind",
        "[ ] enclose a list, { } keys with values.",
        "cards: {soup: 4]\n",
        "cards: {soup: 4}\n",
    ),
    Entry(
        "stray-bracket",
        "A bracket closes nothing",
        "There are more closing brackets than opening ones.",
        "cards: {soup: 4}}\n",
        "cards: {soup: 4}\n",
    ),
    Entry(
        "text-after-bracket",
        "Something follows after a closing bracket",
        "A value that begins with a bracket ends with its closing bracket.",
        "title: [Two] Dishes\n",
        'title: "[Two] Dishes"\n',
    ),
    Entry("stray-comma", "A comma too many", "Commas stand between items.", "round: [a,, b]\n", "round: [a, b]\n"),
    Entry(
        "missing-comma",
        "A comma is missing",
        "Within brackets commas stand between items.",
        "cards: {soup: 4 bread: 2}\n",
        "cards: {soup: 4, bread: 2}\n",
    ),
    Entry(
        "dash-in-brackets",
        "A dash inside brackets",
        "A list is written either with brackets and commas, or with a dash on a line for each item.",
        "round: [- a, - b]\n",
        "round: [a, b]\n",
    ),
    Entry(
        "list-on-key-line",
        "A list begins on the line of its key",
        "The first dash of a list begins a line of its own.",
        "round: - shuffle: deck\n",
        "round:\n  - shuffle: deck\n",
    ),
)

_INDENT = (
    Entry(
        "bad-indent",
        "A line is indented neither like its neighbours nor like the lines above",
        "Keys that belong together begin in the same column.",
        "soup:\n  count: 4\n    keep: true\n",
        "soup:\n  count: 4\n  keep: true\n",
    ),
    Entry(
        "list-among-keys",
        "A list item stands among keys",
        "A mapping holds keys, a list items; give the list a key of its own.",
        "format: 1\n- shuffle: deck\n",
        "format: 1\nsetup:\n  - shuffle: deck\n",
    ),
    Entry(
        "key-among-items",
        "A key stands among list items",
        "A key that belongs to an item is indented under it; a key after the list begins where the key above began.",
        "round:\n  - shuffle: deck\n  id: first\n",
        "round:\n  - shuffle: deck\n    id: first\n",
    ),
    Entry(
        "text-after-end",
        "Something follows after the end of the document",
        "The document ends where a line begins further to the left than its first key, or with a line of three dots.",
        "  format: 1\nid: two\n",
        "format: 1\nid: two\n",
    ),
    Entry(
        "yaml-syntax",
        "The file is not YAML",
        "The file breaks a rule of YAML in a way that is not recognised. Look for quotes, brackets and colons "
        "just before.",
        "format: 1\n{",
        "format: 1\nplayers: 2\n",
    ),
)

TABLE = _BYTES + _LIMITS + _SHAPE + _WORDS + _QUOTES + _PUNCTUATION + _INDENT
