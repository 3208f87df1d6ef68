"""Pages of several people in one browser, and the complaints of these pages."""

from __future__ import annotations

from http import HTTPStatus

from serve.playing import LONGEST

PHONE, TABLET, DESK = {"width": 390, "height": 844}, {"width": 820, "height": 1180}, {"width": 1280, "height": 800}


class People:
    """Opens a page for each person, in a browser context of its own, so that nothing is shared."""

    def __init__(self, browser):
        self.browser = browser
        self.contexts = []
        self.complaints = []

    def __call__(self, viewport=DESK, *, tips=False, **more):
        context = self.browser.new_context(viewport=viewport, **{"reduced_motion": "reduce", **more})
        context.set_default_timeout(LONGEST)
        if not tips:  # bars, too, which a first game has until its end
            context.add_init_script("""try {
              localStorage.setItem("tips", '"off"');
              localStorage.setItem("bars", "false");
            } catch { /* no page */ }""")
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._said)
        page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        page.on("request", self._asked)
        page.on("response", self._answered)
        return page

    def _said(self, said):
        if said.type in {"error", "warning"}:
            self.complaints.append(said.text)

    def _asked(self, asked):
        if not asked.url.startswith(("http://127.0.0.1", "https://127.0.0.1", "blob:", "data:")):
            self.complaints.append(f"asks for {asked.url}")

    def _answered(self, answer):
        """Note which request was refused, which the console of a browser does not tell."""
        if answer.status >= HTTPStatus.BAD_REQUEST:
            asked = answer.request
            self.complaints.append(f"{answer.status} to {asked.method} {asked.url} {asked.post_data or ''}")

    def leave(self):
        """Close all pages before their server ends, so that none complains about its end."""
        while self.contexts:
            self.contexts.pop().close()
