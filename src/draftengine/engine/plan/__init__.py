"""Plans, with which the kernel is specialised to one card set and compiled.

The kernel is ordinary Python over a declared state (`draftengine.engine.record`). A step of the flow is a function that
does its work and then calls the function of the next step. A *plan* holds everything about a game that is known before
it starts (`draftengine.engine.plan.plan`). `draftengine.jit` evaluates the kernel on the plan and compiles what is
left. Without that, the kernel runs as ordinary Python.
"""
