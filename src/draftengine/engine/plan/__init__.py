"""The kernel as one program that is specialised to its card set and compiled.

What plays here is ordinary Python over a declared state (`draftengine.engine.record`): a step of the flow is a
function that does its work and then calls what follows. Everything about a game but its state is known before it
starts (`draftengine.engine.plan.plan`), so `draftengine.jit` runs the kernel over what is known and compiles what is
left of it. Unspecialised it runs as it stands.
"""
