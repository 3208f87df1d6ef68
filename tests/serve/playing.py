"""Helpers with which tests play at a page: they press its buttons when it shows something new to do.

Nothing here waits for a fixed time, and nothing is done twice. A page shows the number of its decision; until that or
the request changes, the last action is still on its way.
"""

from __future__ import annotations

from draftengine.support.locale import spoken

LONGEST = 240_000
"""Milliseconds to wait before a test fails; long, because machines can be busy."""
CHOICES = ".hand-card:not([aria-disabled=true], .taken), button.place:not(.taken), .choices-row button"

_NEXT = f"""() => {{
  const form = document.querySelector("dialog[open] .forms button");
  if (form) return form;
  if (document.body.classList.contains("away")) return null;
  const named = (name) => document.querySelector(`[data-focus="${{name}}"]`);
  const said = document.querySelector("#main h2:not(.unseen)")?.textContent ?? "";
  const own = document.querySelector("#main .standings")
    ?? ["uncover", "ready", "enough", "nothing"].map(named).find(Boolean)
    ?? (/^(Choose|Use|Wybierz|Możesz)|選|使え/.test(said) ? document.querySelector("{CHOICES}") : null);
  if (!own || own.matches(".standings")) return own;
  const asked = [document.body.dataset.decision, said, document.querySelectorAll(".taken").length].join();
  if (window.answered === asked) return null;
  window.answered = asked;
  return own;
}}"""
"""JavaScript that returns the next thing to do at a page, or the standings once the game is over."""

_NAMED = f"""() => {{
  const own = ({_NEXT})();
  return own && (own.matches(".standings") ? "over" : own.dataset.focus ?? "form");
}}"""

_PLAY_ON = f"""() => {{
  const next = {_NEXT};
  const go = () => {{
    const own = next();
    if (own) window.looked?.();
    if (own && !own.matches(".standings")) own.click();
  }};
  const watching = new MutationObserver(go);
  watching.observe(document.querySelector("#main"), {{ childList: true }});
  watching.observe(document.body, {{ childList: true }});
  go();
}}"""


def in_english(key, **given):
    """Return a message of the page, so that a test which waits for it need not know its words."""
    return spoken("en").phrase(key, **given)


def unfolded(page, part):
    """Unfold a part of the sheet of a new game."""
    if not page.locator(f'details[open] > [data-focus="fold {part}"]').count():
        page.locator(f'[data-focus="fold {part}"]').click()


def set_table(page, address, name, *kinds, variants=()):
    """Open a table from the first page, for Ada and others; without a free seat, the game begins."""
    page.goto(address)
    page.locator('[data-focus="name 0"]').fill("Ada")
    page.locator(f'[data-focus="set {name}"]').click()
    page.locator('[data-focus="begin"]').wait_for()
    if page.locator(f'[data-focus="players {1 + len(kinds)}"]').count():
        page.locator(f'[data-focus="players {1 + len(kinds)}"]').click()
    unfolded(page, "seats")
    for seat, kind in enumerate(kinds, 1):
        page.locator(f'[data-focus="kind {seat}"]').select_option(kind)
    for variant in variants:
        unfolded(page, "variants")
        page.locator(f'[data-focus="variant {variant}"]').click()
    page.locator('[data-focus="begin"]:not([disabled])').click()
    page.locator('[data-focus="start"]' if "free" in kinds else ".play").wait_for()
    return page.url


def next_thing(page):
    """Wait for the next thing to do and return the name of a button, `form`, or `over`."""
    return page.wait_for_function(_NAMED, polling=50).json_value()


def act(page, thing):
    """Press the button or element of the next thing to do."""
    found = "dialog[open] .forms button" if thing == "form" else f"[data-focus={thing!r}]"
    page.locator(found).first.click()


def leave_dialog(page):
    """Close the open dialog, and wait until it is gone, which takes a browser some time."""
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")


def play_until(page, wanted):
    """Play with the mouse until the next thing to do has this name."""
    while (thing := next_thing(page)) != wanted:
        assert thing != "over", f"the game is over, and there was no {wanted}"
        act(page, thing)


def play_beside(*pages):
    """Let pages play on by themselves, while the test does something else."""
    for page in pages:
        page.evaluate(_PLAY_ON)


def play_on(*pages):
    """Play on all pages until the game is over, each page by itself."""
    play_beside(*pages)
    for page in pages:
        page.locator("#main .standings").wait_for()
