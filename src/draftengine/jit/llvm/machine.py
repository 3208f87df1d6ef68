"""LLVM itself: the one place that knows llvmlite. Object code is made of a module's text, and functions of object code.

Of LLVM's two just-in-time compilers this uses the newer one, LLJIT, because MCJIT is to be removed; either would load
object code that was made (and kept) before. A `TargetMachine` belongs to whatever it was given to: each is used once.
"""

from __future__ import annotations

import ctypes
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

from draftengine.jit.llvm import object_cache as keep
from draftengine.jit.struct_layout import Memory, signed

if TYPE_CHECKING:
    from draftengine.jit.llvm.module import Signature, Source

_C_TYPES: dict[str, Any] = {"i64": ctypes.c_int64, "double": ctypes.c_double}
_numbers = count()
LONG = 25_000
"""From so many lines on, LLVM optimises nothing: its time grows faster than the text, and what was a second becomes
twenty, for code that is three times as quick."""
LONG_UNFOLDED = 40_000
"""From so many lines on, with all functions in place that always are, it does not either: some 47,000 lines of a game
with four rows and a hundred numbers took it more than ten minutes, in which nobody can stop it."""


@cache
def _binding() -> Any:
    """llvmlite, made ready for this machine. Raises `ImportError` where it is not installed."""
    import llvmlite.binding as llvm  # noqa: PLC0415 (only what compiles needs it)

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def _target_machine(level: int) -> Any:
    llvm = _binding()
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=level)


@cache
def host() -> str:
    """What object code depends on besides its source: LLVM, and the processor."""
    import llvmlite  # noqa: PLC0415 (only what compiles needs it)

    llvm = _binding()
    version = ".".join(map(str, llvm.llvm_version_info))
    parts = [llvmlite.__version__, version, llvm.get_default_triple(), llvm.get_host_cpu_name()]
    return "\n".join([*parts, llvm.get_host_cpu_features().flatten()])


def compiled(text: str, level: int, *, vectors: bool = False) -> bytes:
    """The object code of a module of LLVM. Raises `ValueError` for a text that LLVM does not take."""
    llvm = _binding()
    machine = _target_machine(3 if level > 1 else level)
    head = f'target triple = "{machine.triple}"\ntarget datalayout = "{machine.target_data}"\n'
    try:
        module = llvm.parse_assembly(head + text)
        module.verify()
    except RuntimeError as error:
        raise ValueError(f"LLVM does not take this text: {error}") from error
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = False  # games alone are 3 to 8 % faster without both
    options.slp_vectorization = vectors
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def load(source: Source, *, level: int = 2, kept: bool = False, vectors: bool = False, longest: int = LONG) -> Code:
    """Compile a module, and make its entries callable.

    `level`: how much LLVM does, 0 to 3; nothing for more than `longest` lines, or `LONG_UNFOLDED` with everything in
    place. `kept`: take object code from the user's folder, where it is kept afterwards. `vectors`: let like steps one
    after the other become one, which pays where arrays are written.
    """
    if source.text.count("\n") > longest or source.unfolded > LONG_UNFOLDED:
        level = 0
    if not kept:
        return Code(source, compiled(source.text, level, vectors=vectors))
    key = keep.key_of(source.text, str(level), str(vectors), host())
    code = keep.found(key)
    if code is None:
        code = compiled(source.text, level, vectors=vectors)
        keep.store(key, code)
    return Code(source, code)


class Function:
    """An entry: called with a `Memory` for each record, and with numbers."""

    def __init__(self, code: Code, signature: Signature, address: int) -> None:
        types: list[Any] = []
        for parameter in signature.parameters:
            types += [_C_TYPES[parameter]] if parameter in _C_TYPES else [ctypes.c_void_p, ctypes.c_void_p]
        result = _C_TYPES[signature.result]
        self.raw = ctypes.CFUNCTYPE(result, *types)(address)
        """The entry as C knows it: for each record its two addresses, for each number that number."""
        self._code = code  # which has to live as long as this does

    def __call__(self, *arguments: Memory | float) -> Any:
        given: list[int | float] = []
        for argument in arguments:
            if isinstance(argument, Memory):
                given += argument.addresses
            else:
                given.append(signed(argument) if isinstance(argument, int) else argument)
        return self.raw(*given)


class Code:
    """Object code in memory."""

    def __init__(self, source: Source, code: bytes) -> None:
        llvm = _binding()
        self._sites = source.sites
        self._jit = llvm.create_lljit_compiler(_target_machine(3))
        builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        names = [f"entry__{name}" for name in source.entries]
        for name in [*names, *(["failed__"] if source.checked else [])]:
            builder.export_symbol(name)
        self._library = builder.link(self._jit, f"code__{next(_numbers)}")
        self._failed = ctypes.c_int64.from_address(self._library["failed__"]) if source.checked else None
        self.entries = {
            name: Function(self, entry, self._library[f"entry__{name}"]) for name, entry in source.entries.items()
        }

    def __getitem__(self, name: str) -> Function:
        return self.entries[name]

    def failure(self) -> str | None:
        """In the checked mode, what went wrong first since this was last asked, and where."""
        if self._failed is None or not self._failed.value:
            return None
        site, self._failed.value = self._failed.value, 0
        return self._sites[site - 1]
