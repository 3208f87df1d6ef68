"""Tables in the browser: a server that keeps them, and a page that shows them. It knows no game.

What is shown comes from `draftengine.api`; what was acknowledged is on the disk (`storage`); what a table is, and what
may happen at it, is a fold over its entries (`table`); `hub` gives tables a clock, bots and connections. What takes
long runs in other processes (`pool`, `work`). `app` speaks HTTP and WebSocket, behind `connections` and `guard`.
"""
