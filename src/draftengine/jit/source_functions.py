"""The functions of kernel source: their trees, the meanings of their names, their static expressions.

Source outside the dialect is refused, with its place (`SpecialisationError`).
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import linecache
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from draftengine.jit.primitives import COMPUTING, STAYING
from draftengine.jit.records import Packed, RecordType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import FunctionType, ModuleType


class Place(NamedTuple):
    """A place in kernel source: file, line and function."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}, in {self.function}"


class SpecialisationError(Exception):
    """Raised for kernel source that is not in the dialect.

    The message says what is wrong, where, and through which calls the specialiser came there, outermost first.
    """

    def __init__(self, reason: str, place: Place, excerpt: str = "", calls: tuple[Place, ...] = ()) -> None:
        self.reason = reason
        self.place = place
        self.excerpt = excerpt
        self.calls = calls
        super().__init__(str(self))

    def __str__(self) -> str:
        text = f"{self.place}: {self.reason}"
        if self.excerpt:
            text += f": {self.excerpt}"
        return "\n  ".join([text, *(f"called from {call}" for call in reversed(self.calls))])


class CodeTooLarge(SpecialisationError):  # noqa: N818 (clear without a suffix)
    """Raised for a residual program that is too long to compile. Perhaps a recursion does not end."""


NAME = re.compile(r"_|_?[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
"""The pattern of names in kernel source. Names with two underscores are reserved for the specialiser."""
RESERVED = frozenset({*COMPUTING.values(), "range"})
"""Names that have a meaning in every residual program."""
_CHANGING = frozenset(
    "add append clear discard extend insert pop popitem remove reverse setdefault sort update".split()  # noqa: SIM905
)
"""Methods that change their list, set or dictionary."""
_SCOPES = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class NamesUsed(NamedTuple):
    """The local names that an expression uses, and whether its calls allow evaluating it early."""

    locals: frozenset[str]
    stays: bool
    """True if the expression contains a primitive that is never evaluated early."""
    changes: bool
    """True if the expression calls a method that changes a list, set or dictionary."""


@dataclass(eq=False)
class Text:
    """One function of kernel source."""

    function: FunctionType
    tree: ast.FunctionDef
    module: Module
    parameters: tuple[str, ...]
    records: dict[str, RecordType]
    """Parameters that are records."""
    floats: frozenset[str]
    """Parameters that are floating-point numbers."""
    gives_float: bool
    packed: frozenset[str]
    """Parameters that are packed numbers."""
    gives_packed: bool
    locals: frozenset[str]
    """The variables of the function and of its comprehensions, so that none is mistaken for a global name."""
    defaults: dict[str, object]
    _names: dict[ast.AST, NamesUsed] = field(default_factory=dict)
    _codes: dict[ast.AST, Callable[..., object]] = field(default_factory=dict)
    _stored: dict[ast.AST, tuple[str, ...]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.tree.name

    def place(self, node: ast.AST) -> Place:
        return Place(self.module.file, getattr(node, "lineno", self.tree.lineno), self.name)

    def names(self, node: ast.AST) -> NamesUsed:
        """Return the names that an expression uses."""
        if node not in self._names:
            parts = [self.names(child) for child in children(node)]
            used = frozenset().union(*(part.locals for part in parts))
            stays, changes = any(part.stays for part in parts), any(part.changes for part in parts)
            if isinstance(node, ast.Name):
                used = self.locals & {node.id}
            elif isinstance(node, _SCOPES | ast.Lambda):
                used = self.locals & set(free_names(node))
            elif isinstance(node, ast.Call):
                stays = stays or self.module.is_staying(node.func)
                changes = changes or (isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING)
            self._names[node] = NamesUsed(used, stays, changes)
        return self._names[node]

    def code(self, node: ast.expr) -> Callable[..., object]:
        """Return an expression as a Python function whose parameters are its local names, sorted."""
        if node not in self._codes:
            tree = ast.Expression(ast.Lambda(args=parameters_of(sorted(self.names(node).locals)), body=node))
            ast.fix_missing_locations(tree)
            self._codes[node] = eval(compile(tree, self.module.file, "eval"), vars(self.module.own))  # noqa: S307
        return self._codes[node]

    def stored(self, node: ast.stmt) -> tuple[str, ...]:
        """Return the local names that a statement assigns to, sorted."""
        if node not in self._stored:
            self._stored[node] = tuple(sorted(stored_names(node)))
        return self._stored[node]


class Module:
    """A module of kernel source."""

    def __init__(self, module: ModuleType) -> None:
        self.own = module
        self.file = getattr(module, "__file__", None) or module.__name__
        source = "".join(linecache.getlines(self.file, vars(module)))
        self.tree = ast.parse(source, self.file)
        if not self.tree.body:
            raise SpecialisationError("a module without source", Place(self.file, 1, module.__name__))

    def texts(self) -> Iterator[Text]:
        """Yield the functions defined in the module, except decorated ones."""
        for tree in self.tree.body:
            if not isinstance(tree, ast.FunctionDef) or tree.decorator_list:
                continue
            function = vars(self.own).get(tree.name)
            if not inspect.isfunction(function) or function.__module__ != self.own.__name__:
                continue
            place, declared = Place(self.file, tree.lineno, tree.name), tree.args
            if declared.vararg or declared.kwarg:
                raise SpecialisationError("a function with any number of arguments", place)
            arguments = [*declared.posonlyargs, *declared.args, *declared.kwonlyargs]
            parameters = tuple(argument.arg for argument in arguments)
            names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
            stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
            for name in (tree.name, *parameters, *stored):
                if not NAME.fullmatch(name) or name in RESERVED:
                    raise SpecialisationError("no name for a function or variable of kernel source", place, name)
            meanings = {argument.arg: self._meaning(argument.annotation) for argument in arguments}
            positional = parameters[: len(parameters) - len(declared.kwonlyargs)]
            given = function.__defaults__ or ()
            defaults = dict(zip(positional[len(positional) - len(given) :], given, strict=True))
            yield Text(
                function=function,
                tree=tree,
                module=self,
                parameters=parameters,
                records={name: meaning for name, meaning in meanings.items() if isinstance(meaning, RecordType)},
                floats=frozenset(name for name, meaning in meanings.items() if meaning is float),
                gives_float=self._meaning(tree.returns) is float,
                packed=frozenset(name for name, meaning in meanings.items() if meaning == Packed),
                gives_packed=self._meaning(tree.returns) == Packed,
                locals=frozenset(parameters) | stored,
                defaults={**defaults, **(function.__kwdefaults__ or {})},
            )

    def _meaning(self, annotation: ast.expr | None) -> object:
        """Return the object that an annotation names, even if imported only for types, or ``None``."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = ast.parse(annotation.value, mode="eval").body
        if isinstance(annotation, ast.Attribute):
            return getattr(self._meaning(annotation.value), annotation.attr, None)
        if not isinstance(annotation, ast.Name):
            return None
        try:
            return self.named(annotation.id)
        except NameError:
            pass
        for node in (part for statement in self.tree.body if isinstance(statement, ast.If) for part in statement.body):
            for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                if isinstance(node, ast.ImportFrom) and (alias.asname or alias.name) == annotation.id:
                    imported = importlib.import_module("." * node.level + (node.module or ""), self.own.__package__)
                    return getattr(imported, alias.name, None)
        return None

    def named(self, name: str) -> object:
        """Return the meaning of a global name. Raise `NameError`."""
        for scope in (vars(self.own), vars(builtins)):
            if name in scope:
                return scope[name]
        raise NameError(f"name {name!r} is not defined")

    def is_staying(self, function: ast.expr) -> bool:
        """True if an expression names a primitive that is never evaluated early."""
        match function:
            case ast.Name(id=name):
                target = vars(self.own).get(name)
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                target = getattr(vars(self.own).get(module), name, None)
            case _:
                return False
        return inspect.isfunction(target) and target in STAYING


_read: WeakKeyDictionary[ModuleType, list[Text]] = WeakKeyDictionary()


def texts_of(module: ModuleType) -> list[Text]:
    """Return the functions of a module. It is read once, unless its functions are replaced."""
    known = _read.get(module)
    if known is None or any(vars(module).get(text.name) is not text.function for text in known):
        known = _read[module] = list(Module(module).texts())
    return known


def children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes directly below a node."""
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            yield from value
        elif isinstance(value, ast.AST):
            yield value


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all nodes within it. This is three times as fast as `ast.walk`."""
    nodes = [node]
    for current in nodes:
        yield current
        if isinstance(current, ast.Name | ast.Constant):
            continue
        for name in current._fields:
            part = getattr(current, name, None)
            if isinstance(part, list):
                nodes += part
            elif isinstance(part, ast.AST):
                nodes.append(part)


def parameters_of(names: Sequence[str]) -> ast.arguments:
    """Return positional parameters with these names."""
    arguments = [ast.arg(arg=name) for name in names]
    return ast.arguments(posonlyargs=[], args=arguments, kwonlyargs=[], kw_defaults=[], defaults=[])


def stored_names(node: ast.AST) -> set[str]:
    """Return the names that are assigned to in a node, except names of comprehensions."""
    if isinstance(node, _SCOPES | ast.Lambda):
        return set()
    names = {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else set()
    return names.union(*map(stored_names, children(node)))


def free_names(node: ast.AST) -> Iterator[str]:
    """Yield the names in an expression that are not bound within it."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Lambda):
        bound = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        yield from (name for name in free_names(node.body) if name not in bound)
        yield from free_names(node.args)
    elif isinstance(node, _SCOPES):
        bound = set()
        for generator in node.generators:
            yield from (name for name in free_names(generator.iter) if name not in bound)
            bound |= {part.id for part in ast.walk(generator.target) if isinstance(part, ast.Name)}
            for test in generator.ifs:
                yield from (name for name in free_names(test) if name not in bound)
        for made in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            yield from (name for name in free_names(made) if name not in bound)
    else:
        for child in children(node):
            yield from free_names(child)
