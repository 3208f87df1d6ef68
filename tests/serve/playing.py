"""How the tests play at a page: by its buttons, one after the other, whenever the page shows something new to do.

Nothing here waits for a time to pass, and nothing is done twice: a page shows which decision it is about, and until it
shows another one, or asks for something else, what was done is on its way.
"""

from __future__ import annotations

LONGEST = 600_000
"""Milliseconds after which something that never happens is a failure; a busy machine needs some of them."""
CHOICES = ".hand-card:not([disabled], .taken), button.place:not(.taken), .choices-row button"

_NEXT = f"""() => {{
  const form = document.querySelector("dialog[open] .forms button");
  if (form) return form;
  if (document.body.classList.contains("away")) return null;
  const named = (name) => document.querySelector(`[data-focus="${{name}}"]`);
  const said = document.querySelector("#main h2:not(.unseen)")?.textContent ?? "";
  const own = document.querySelector("#main .standings")
    ?? ["uncover", "ready", "enough", "nothing"].map(named).find(Boolean)
    ?? (/^(Choose|Use)/.test(said) ? document.querySelector("{CHOICES}") : null);
  if (!own || own.matches(".standings")) return own;
  const asked = [document.body.dataset.decision, said, document.querySelectorAll(".taken").length].join();
  if (window.answered === asked) return null;
  window.answered = asked;
  return own;
}}"""
"""What there is to do at a page and was not done yet; the standings once the game is over."""

_NAMED = f"""() => {{
  const own = ({_NEXT})();
  return own && (own.matches(".standings") ? "over" : own.dataset.focus ?? "form");
}}"""

_PLAY_ON = f"""() => {{
  const next = {_NEXT};
  const go = () => {{
    const own = next();
    if (own && !own.matches(".standings")) own.click();
  }};
  const watching = new MutationObserver(go);
  watching.observe(document.querySelector("#main"), {{ childList: true }});
  watching.observe(document.body, {{ childList: true }});
  go();
}}"""


def next_thing(page):
    """What there is to do now, as soon as there is something: the name of a button, `form`, or `over`."""
    return page.wait_for_function(_NAMED, polling=50).json_value()


def act(page, thing):
    """Do it with the mouse."""
    found = "dialog[open] .forms button" if thing == "form" else f"[data-focus={thing!r}]"
    page.locator(found).first.click()


def leave_dialog(page):
    """Close what is open, and wait until it is gone: a browser closes a dialog some time after the key."""
    page.keyboard.press("Escape")
    page.locator("dialog[open]").wait_for(state="detached")


def play_until(page, wanted):
    """Play with the mouse until there is something of that name to do."""
    while (thing := next_thing(page)) != wanted:
        assert thing != "over", f"the game is over, and there was no {wanted}"
        act(page, thing)


def play_on(*pages):
    """Play at all pages at once until it is over for all, each page by itself."""
    for page in pages:
        page.evaluate(_PLAY_ON)
    for page in pages:
        page.locator("#main .standings").wait_for()
