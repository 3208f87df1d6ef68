"""Plans: everything about a game that is known before it starts, as input of the specialiser.

The kernel is ordinary Python over a declared state (`draftengine.engine.state`). A step of the flow is a function that
does its work and then calls the function for the next step. `draftengine.jit` evaluates the kernel on a *plan*
(`draftengine.engine.plan.plan`), and compiles the remaining program. Without this, the kernel runs as ordinary Python.
"""
