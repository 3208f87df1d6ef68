"""The machine of the batch kernel: functions that Numba compiles, over the arrays of `draftengine.kernel.memory`."""
