"""Tables in the browser: a server that keeps them, and a page that shows them. It knows no game.

What pages show comes from `draftengine.api`. Everything acknowledged is on disk (`storage`). A table and its rules are
a fold over its entries (`table`); `hub` gives tables a clock, bots and connections. Long computations run in other
processes (`pool`, `work`). `app` speaks HTTP and WebSocket, behind `connections` and `guard`.
"""
