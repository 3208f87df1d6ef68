"""Tables in the browser: a server that stores and runs them, and a page that shows them.

Pages show what `draftengine.api` provides. Every acknowledged request is on disk (`storage`). A table and its rules are
computed by applying its entries one by one (`table`). `hub` starts bots and reveals at the right time and connects
clients. Long computations run in other processes (`pool`, `work`). `app` speaks HTTP, `sockets` WebSocket, and `guard`
limits connections and requests before `app` sees them.
"""
