"""Residual functions as LLVM modules, compiled and cached."""
