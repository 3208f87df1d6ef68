"""Tables in the browser: a server that keeps them, and a page that shows them. It knows no game.

Pages show what `draftengine.api` provides. Every acknowledged request is on disk (`storage`). A table and its rules are
computed by applying its entries one by one (`table`); `hub` gives tables a clock, bots and connections. Long
computations run in other processes (`pool`, `work`). `app` speaks HTTP and WebSocket. `connections` and `guard` stand
between `app` and the network.
"""
