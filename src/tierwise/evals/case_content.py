"""What is in a value, read whole: equal whenever the content is equal, in every process."""

from __future__ import annotations

import copyreg
import dataclasses
import enum
import hashlib
import json
import re
import sys
import types
from collections.abc import Iterable, Mapping, Set as AbstractSet
from pathlib import PurePath
from typing import Any

_PLAIN = (bool, int, float, str)
_BARE = (list, tuple, Mapping, AbstractSet)
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_LONG_BYTES = 64
_LONG_NUMBER = 10_000  # bits; Python refuses to write longer ones in decimals
_NOT_STATE = frozenset({"__dict__", "__weakref__", "__pydantic_fields_set__"})
_PICKLING = 4


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A value as JSON-like data, and the types of all in it that could not be read."""

    data: Any
    unreadable: tuple[str, ...] = ()


def read_content(value: object) -> Content:
    """Read a value and all that it holds: fields, attributes, or what a pickle of it would hold.

    Neither order of sets and keys nor addresses are content. What hides its content, such as a
    lock, a generator or an object without attributes, is named as unreadable.
    """
    reader = _Reader()
    data = reader.read(value)
    return Content(data=data, unreadable=tuple(reader.unreadable))


def hash_data(data: object) -> str:
    """Return the SHA-256 of JSON-like data."""
    return hashlib.sha256(as_text(data)).hexdigest()


def as_text(data: object) -> bytes:
    """Return JSON-like data as the bytes that are hashed."""
    text = json.dumps(data, sort_keys=True, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


class _Reader:
    """Reads one value; what leads back to where it came from is named by the way back."""

    def __init__(self) -> None:
        self.unreadable: dict[str, None] = {}
        self._path: list[object] = []

    def read(self, value: object) -> Any:  # noqa: ANN401, PLR0911  JSON-like data, one line a kind
        kind = type(value)
        if value is None or kind in _PLAIN:
            is_long = isinstance(value, int) and value.bit_length() > _LONG_NUMBER
            return ["\0number", f"{value:x}"] if is_long else value
        if back := self._find_back(value):
            return ["\0again", back]
        if isinstance(value, enum.Enum):
            return self.read(value.value)
        if isinstance(value, bytes | bytearray | memoryview):
            return ["\0bytes", _shorten(bytes(value))]
        if isinstance(value, PurePath):
            return ["\0path", value.as_posix()]
        if isinstance(value, types.ModuleType):
            return ["\0module", value.__name__]
        self._path.append(value)
        try:
            return self._read_whole(value)
        finally:
            self._path.pop()

    def _find_back(self, value: object) -> int:
        """Return how far up a value that holds itself began; 0 for any other.

        Objects may know of each other; a list that is in itself is a mistake.
        """
        places = [place for place, other in enumerate(self._path) if other is value]
        if places and all(isinstance(other, _BARE) for other in self._path[places[0] :]):
            raise RecursionError(f"a {type(value).__name__} contains itself")
        return len(self._path) - places[0] if places else 0

    def _read_whole(self, value: object) -> Any:  # noqa: ANN401  JSON-like data
        if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
            return self._read_code(value)
        if type(value) is dict:  # most cases are: the others' tests take their time
            return self._read_mapping(value)
        found: Any = None
        if isinstance(value, _PLAIN):
            found = next(base(value) for base in _PLAIN if isinstance(value, base))
        elif isinstance(value, Mapping):
            found = self._read_mapping(value)
        elif isinstance(value, AbstractSet):
            found = ["\0set", sorted(map(self.read, value), key=_sort_key)]
        elif isinstance(value, list | tuple):
            found = [self.read(item) for item in value]
        else:
            return self._read_object(value)
        state = _state_of(value)
        beside = self._try(state) if state else None
        return ["\0of", found, beside] if beside else found

    def _read_mapping(self, value: Mapping[Any, object]) -> Any:  # noqa: ANN401  JSON-like data
        if all(type(key) is str for key in value):
            return {key: self.read(item) for key, item in value.items()}
        pairs = ([self.read(key), self.read(item)] for key, item in value.items())
        return ["\0mapping", sorted(pairs, key=_sort_key)]

    def _read_object(self, value: object) -> Any:  # noqa: ANN401  JSON-like data
        name = type(value).__qualname__
        if hasattr(type(value), "__pydantic_fields__"):
            return [name, self.read(_state_of(value)), self._read_class(type(value))]
        try:
            reduce = copyreg.dispatch_table.get(type(value))
            reduced = reduce(value) if reduce else value.__reduce_ex__(_PICKLING)
            return [name, self._read_reduced(value, reduced), self._read_class(type(value))]
        except RecursionError:
            raise
        except Exception:  # noqa: BLE001  whatever a type's own code raises, it is not read
            return self._give_up(value)

    def _read_reduced(self, value: object, reduced: str | tuple[Any, ...]) -> Any:  # noqa: ANN401
        if isinstance(reduced, str):
            return reduced
        made_by, args, state, items, pairs = (*reduced, None, None, None)[:5]
        is_plain = made_by is copyreg.__newobj__  # type: ignore[attr-defined]  # not in its stub
        is_empty = is_plain and len(args) == 1 and not (state or items or pairs)
        if is_empty and not dataclasses.is_dataclass(value) and not self._read_class(type(value)):
            return self._give_up(value)
        found = [self.read(part) for part in (made_by, args, state)]
        found += [self.read(list(part or ())) for part in (items, pairs)]
        # What a class leaves out of its pickles a body may still ask.
        is_own = type(value).__getstate__ is object.__getstate__ and is_plain
        return found if is_own else [*found, self._try(_state_of(value))]

    def _read_code(self, value: Any) -> Any:  # noqa: ANN401  a class or a function
        owner = getattr(value, "__self__", None)
        if isinstance(value, types.BuiltinFunctionType) and not isinstance(
            owner, types.ModuleType | None
        ):
            return self._read_object(value)
        named = [value.__module__, value.__qualname__]
        if isinstance(value, type):
            return ["\0class", named, self._read_class(value)]
        if isinstance(value, types.BuiltinFunctionType) or _is_importable(value):
            return ["\0named", named]  # its code lies in a file, and files are inputs
        held = [cell.cell_contents for cell in value.__closure__ or () if not _is_unset(cell)]
        used = {
            name: value.__globals__[name]
            for name in _names_in(value.__code__)
            if name in value.__globals__
        }
        beside = (value.__defaults__, value.__kwdefaults__, held, used)
        return ["\0code", named, self._read_bytecode(value.__code__), self.read(beside)]

    def _read_bytecode(self, code: types.CodeType) -> Any:  # noqa: ANN401  JSON-like data
        constants = [
            self._read_bytecode(each) if isinstance(each, types.CodeType) else self.read(each)
            for each in code.co_consts
        ]
        return [_shorten(code.co_code), constants, list(code.co_names), list(code.co_varnames)]

    def _read_class(self, kind: type) -> Any:  # noqa: ANN401  JSON-like data
        """Return what objects of a class share, as far as it is data: cases may differ by it."""
        held = {
            name: attribute
            for base in reversed(kind.__mro__)
            if base.__module__.partition(".")[0] not in sys.stdlib_module_names
            for name, attribute in vars(base).items()
            if not name.startswith(("__", "_abc_")) and not hasattr(attribute, "__get__")
        }
        read = {name: self._try(attribute) for name, attribute in held.items()}
        return {name: found for name, found in read.items() if found is not None}

    def _try(self, value: object) -> Any:  # noqa: ANN401  JSON-like data
        """Return a value that can be read whole; None for any other, which is not missed."""
        before = dict(self.unreadable)
        found = self.read(value)
        if self.unreadable == before:
            return found
        self.unreadable = before
        return None

    def _give_up(self, value: object) -> list[str]:
        name = type(value).__qualname__
        self.unreadable[name] = None
        try:
            return ["\0unreadable", name, _ADDRESS.sub("", repr(value))]
        except Exception:  # noqa: BLE001  a `repr` that fails says nothing either
            return ["\0unreadable", name]


def _state_of(value: object) -> dict[str, object]:
    """Return the attributes of an object itself: those in slots, and the others."""
    found: dict[str, object] = {}
    for kind in reversed(type(value).__mro__):
        slots = vars(kind).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            is_private = slot.startswith("__") and not slot.endswith("__")
            name = f"_{kind.__name__.lstrip('_')}{slot}" if is_private else slot
            reader = vars(kind).get(name)
            if slot not in _NOT_STATE and isinstance(reader, types.MemberDescriptorType):
                try:
                    found[name] = reader.__get__(value, kind)
                except AttributeError:
                    continue
    return {**found, **getattr(value, "__dict__", {})}


def _is_importable(function: types.FunctionType) -> bool:
    found: object = sys.modules.get(function.__module__)
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is function


def _is_unset(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018  asked for whether it is there
    except ValueError:
        return True
    return False


def _names_in(code: types.CodeType) -> Iterable[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_in(constant)


def _shorten(data: bytes) -> str:
    return data.hex() if len(data) <= _LONG_BYTES else hashlib.sha256(data).hexdigest()


def _sort_key(value: object) -> str:
    return json.dumps(value, sort_keys=True)
