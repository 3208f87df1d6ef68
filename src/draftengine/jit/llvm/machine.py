"""The interface to llvmlite: compiles modules, makes object code callable, and keeps it between runs.

LLVM has two just-in-time compilers. This module uses LLJIT, because MCJIT will be removed. Both can load cached object
code. A `TargetMachine` belongs to the object that receives it, so each is used only once.

Object code is kept in the user's folder (`draftengine.support.caches`). Damaged, foreign and outdated files are ignored
and written again.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from draftengine.jit.llvm import FEW_COPIES, LONG_UNFOLDED, Inline, Signature, Source
from draftengine.jit.records import Memory, signed
from draftengine.support import caches

_C_TYPES: dict[str, Any] = {"i64": ctypes.c_int64, "double": ctypes.c_double}
_numbers = count()
LONG = 60_000
"""The number of lines above which LLVM does not optimise. Up to it, LLVM takes at most three seconds."""


@cache
def _binding() -> Any:
    """Return llvmlite, initialised for this machine. Raise `ImportError` if it is not installed."""
    import llvmlite.binding as llvm  # noqa: PLC0415 (needed only for compiling)

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
    """Return everything besides the source that object code depends on: LLVM's version and the processor."""
    import llvmlite  # noqa: PLC0415 (needed only for compiling)

    llvm = _binding()
    version = ".".join(map(str, llvm.llvm_version_info))
    parts = [llvmlite.__version__, version, llvm.get_default_triple(), llvm.get_host_cpu_name()]
    return "\n".join([*parts, llvm.get_host_cpu_features().flatten()])


def compiled(text: str, level: int, *, vectors: bool = False) -> bytes:
    """Return the object code of a module of LLVM. Raise `ValueError` for a text that LLVM refuses."""
    llvm = _binding()
    machine = _target_machine(3 if level > 1 else level)
    head = f'target triple = "{machine.triple}"\ntarget datalayout = "{machine.target_data}"\n'
    try:
        module = llvm.parse_assembly(head + text)
        module.verify()
    except RuntimeError as error:
        raise ValueError(f"LLVM does not take this text: {error}") from error
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = False  # single games are 3 to 8 % faster without any vectorisation
    options.slp_vectorization = vectors
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def known(name: str) -> Code | None:
    """Return the code that `load` stored under a name for this machine; ``None`` if there is none."""
    try:
        link = json.loads(kept_code(_key_of_name(name)) or b"{}")
        code = kept_code(link["code"])
        entries = {entry: Signature(tuple(parameters), result) for entry, parameters, result in link["entries"]}
    except (KeyError, TypeError, ValueError):  # it is missing or damaged
        return None
    return None if code is None else Code(Source("", entries, checked=False, sites=(), unfolded=0), code)


def _key_of_name(name: str) -> str:
    return key_of("name", name, package_hash(), host())


def load(
    source: Source, *, level: int = 2, kept: bool = False, vectors: bool = False, longest: int = LONG, name: str = ""
) -> Code:
    """Compile a module and make its entries callable.

    `level` is LLVM's optimisation level, 0 to 3. For modules of more than `longest` lines it is 0, and no call is
    inlined, because inlining hardly helps without optimising. With `kept`, object code is read from the user's cache,
    or stored there. If it also has a `name`, `known` finds it again without the source. With `vectors`, similar
    consecutive operations are vectorised, which saves time if arrays are written.
    """
    if source.text.count("\n") > longest:
        level = 0
    in_place = "alwaysinline" if level and source.unfolded <= LONG_UNFOLDED else "noinline"
    few_copies = "alwaysinline" if level else "noinline"
    text = f"{source.text}\nattributes {Inline.ALWAYS.value} = {{ {in_place} }}\n"
    text += f"attributes {FEW_COPIES} = {{ {few_copies} }}\n"
    key = key_of(text, str(level), str(vectors), host())
    code = kept_code(key) if kept else None
    if code is None:
        code = compiled(text, level, vectors=vectors)
        if kept:
            keep_code(key, code)
    if kept and name:
        entries = [(entry, each.parameters, each.result) for entry, each in source.entries.items()]
        keep_code(_key_of_name(name), json.dumps({"code": key, "entries": entries}).encode())
    return Code(source, code)


class Function:
    """A compiled function for callers in Python, who pass a `Memory` for each record, and numbers."""

    def __init__(self, code: Code, signature: Signature, address: int) -> None:
        types: list[Any] = []
        for parameter in signature.parameters:
            types += [_C_TYPES[parameter]] if parameter in _C_TYPES else [ctypes.c_void_p, ctypes.c_void_p]
        result = _C_TYPES[signature.result]
        self.raw = ctypes.CFUNCTYPE(result, *types)(address)
        """The C function. It takes two addresses for each record, and every number as it is."""
        self._code = code  # keeps a reference, so that the code is not freed

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
        """Return the first failure in the checked mode, with its place, and clear it."""
        if self._failed is None or not self._failed.value:
            return None
        site, self._failed.value = self._failed.value, 0
        return self._sites[site - 1]


# ── Kept object code ──


def key_of(*parts: str) -> str:
    """Return a cache key for code: a hash of all texts on which the code depends."""
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return digest.hexdigest()[:32]


@cache
def package_hash() -> str:
    """Return a hash of the code in this package that specialised code depends on."""
    root, digest = Path(__file__).resolve().parents[2], hashlib.sha256()
    for part in ("bots", "engine", "jit", "model"):
        for file in sorted((root / part).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def kept_code(key: str) -> bytes | None:
    """Return the cached code for a key; ``None`` if it is missing or damaged."""
    return caches.content_of(f"code-{key}")


def keep_code(key: str, code: bytes) -> None:
    """Store code for a key. Failures to write are ignored."""
    caches.keep(f"code-{key}", code)
