"""Tests against a real vendor, as their author would write them: type-checked, never run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_type

from tierwise.config import Config, LiveConfig
from tierwise.errors import CatalogueError
from tierwise.live import (
    Catalogue,
    Live,
    LiveFaultError,
    Observed,
    PremiseError,
    RequireSecret,
    Signature,
    Standing,
    Swapped,
    VendorVerdict,
    VerdictTable,
    Walk,
    WalkLimits,
    Watched,
    assert_divergent,
    divergent,
    observe,
    see,
    swap_test,
    walk,
    walk_async,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Model:
    id: str
    price: float = 1.0


KEY = RequireSecret("ACME_KEY", placeholders=("offline",))
NIGHT = Signature(
    name="night",
    standing=Standing.CLOSED,
    reason="closed at night",
    status=(503, 504),
    word="Closed",
    text="night",
    sent_key=True,
    when=lambda observed: observed.is_success,
)


def fetch() -> Iterable[Mapping[str, object]]:
    return [{"id": "a", "price": 0.0}]


def ask(model: Model) -> Observed:
    return Observed.read(200, model.id, sent_key=KEY.why_missing() is None)


async def ask_later(model: Model) -> str:
    return model.id


def pick() -> dict[str, Model]:
    try:
        catalogue = Catalogue.read(fetch, Model, key="id", name="acme")
    except CatalogueError as error:
        raise SystemExit(error.exit_code) from error
    assert_type(catalogue.keys, tuple[str, ...])
    assert_type(catalogue["a"], Model)
    return catalogue.pick(lambda model: model.price == 0)


def judge() -> VendorVerdict:
    table = VerdictTable.known().extended(NIGHT)
    assert_type(table.signatures, tuple[Signature, ...])
    assert_type(observe(TimeoutError()), Observed)
    assert_type(see("answer", table=table, sent_key=True), str)
    return table.judge(Observed.read(429), sent_key=False)


async def go() -> str:
    limits = WalkLimits(candidates=4, seconds=60.0, retries=2, pause_s=0.5)
    found = walk(pick(), ask, rotation=1, limits=limits)
    assert_type(found, Walk[Model, Observed])
    assert_type(found.verdicts["a"].standing, Standing)
    later = await walk_async(pick(), ask_later, table=VerdictTable.known())
    assert_type(later.answer, str)
    return later.subject.id


def test_as_a_user_does(live: Live) -> None:
    live.know(NIGHT)
    try:
        assert_type(live.walk(pick(), ask).answer, Observed)
    except LiveFaultError as error:
        assert_type(error.verdict, VendorVerdict)
    assert_type(live.see(1), int)
    assert_type(live.secret("ACME_KEY"), str)
    assert_type(live.notes, list[str])


def test_two_sources() -> None:
    rows = divergent(Model, {"id": "a"}, differ=["price"], go={"price": 0.0}, zen={"price": 1.0})
    assert_type(rows, dict[str, Model])
    assert_divergent(rows["go"], rows["zen"], ["price"], agree=["id"], names=("go", "zen"))
    try:
        swapped = swap_test(lambda go, _zen: go.price, rows["go"], rows["zen"])
    except PremiseError:
        return
    assert_type(swapped, Swapped[float])
    assert_type((swapped.as_given, swapped.exchanged), tuple[float, float])


def is_enough(config: Config) -> bool:
    assert_type(config.live, LiveConfig)
    assert_type(config.live.rotation, int | None)
    return Watched(name="tier live", n_seen=1, n_tests=2, floor=config.live.floor).is_enough
