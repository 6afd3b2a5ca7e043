"""Packed values: a compact form of the values of a position's moves.

A position may have hundreds of moves, each with sentences. Only the best moves and the played one
are stored, as lists instead of dicts, and each message once: a few hundred bytes a position. If the
played move cost something, the ``rest`` of the moves is stored too, for those who practise: by what
is shown of them, and whether they are as good as the best."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

BEST, BEST_OF_HINT = 4, 10
"""The number of best moves that are stored for an analysis, and for a hint."""
VERDICTS = ("inaccuracy", "mistake", "blunder")
"""The verdicts for which the limits of loss are stored. Older evaluations have only that of
mistakes."""
EXACT, KNOWN = 1, 2
"""Bits of an entry's flags."""
DIGITS = 4
"""Decimal places of a value."""

Packed = dict[str, Any]


def pack(
    values: Mapping[str, Any] | None, played: str, *, hint: bool = False, whole: bool = False
) -> Packed:
    """Return the values of a position in the stored form. ``values`` is None if the position cannot
    be evaluated. ``played`` is the move that followed, '' for none. The sentence of the best move
    is stored only for a ``hint``, and all moves only with ``whole``, where any may be tried out."""
    if not values or not values["moves"]:
        refused = (values or {}).get("refused")
        return {"of": played} | ({"refused": _short(refused)} if refused else {})
    moves, texts, most = values["moves"], _Texts(), BEST_OF_HINT if hint else BEST
    most = len(moves) if whole else most
    entries = moves[:most] + [entry for entry in moves[most:] if entry["move"] == played]
    why, reason = moves[0]["why"] if hint else None, values.get("reason")
    return {
        "of": played,
        "seat": values["seat"],
        "verdicts": [values.get(name) for name in VERDICTS],
        "count": len(moves),
        "moves": [_pack_entry(entry, texts) for entry in entries],
        **({"why": _short(why)} if why else {}),
        **({"line": values["line"]} if values.get("line") else {}),
        "regions": [
            [" ".join(region["cells"]), texts.index(region["value"])]
            for region in values["regions"]
        ],
        **_pack_rest(values, played, entries, texts),
        **(
            {"reason": [reason["move"], int(reason["best"]), _short(reason["text"])]}
            if reason
            else {}
        ),
        "texts": texts.found,
        "messages": texts.messages,
    }


def unpack(packed: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the values given to `pack`, with the stored moves only and the ``count`` of all moves;
    None if the position could not be evaluated."""
    if packed is None or not ("moves" in packed or "refused" in packed):
        return None
    if "refused" in packed:
        return {"moves": [], "count": 0, "refused": _long(packed["refused"])}
    messages = packed["messages"]
    texts = [_long([*messages[number], params]) for number, params in packed["texts"]]
    verdicts = zip(VERDICTS, packed["verdicts"], strict=True)
    entries = [_unpack_entry(entry, texts) for entry in packed["moves"]]
    if "why" in packed:
        entries[0]["why"] = _long(packed["why"])
    return {
        "seat": packed["seat"],
        "count": packed["count"],
        **{name: loss for name, loss in verdicts if loss is not None},
        "moves": entries,
        **_unpack_more(packed, texts),
        "line": packed.get("line", []),
        "regions": [
            {"cells": cells.split(" "), "value": texts[value]} for cells, value in packed["regions"]
        ],
    }


def shorten(packed: Packed | None, played: str) -> Packed:
    """Return packed values with no more than an analysis shows of a position in which the move
    ``played`` followed, such as those of a hint."""
    values = unpack(packed)
    short = pack(values, played)
    return short | ({"count": values["count"]} if values and values["moves"] else {})


def pack_together(positions: Sequence[Packed]) -> bytes:
    """Return the packed values of many positions as one block. They repeat each other's words: in
    it each takes some 50 bytes."""
    written = json.dumps(positions, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(written.encode(), level=9)


def unpack_together(block: bytes | memoryview) -> list[Packed]:
    positions: list[Packed] = json.loads(zlib.decompress(block))
    return positions


def lacks(packed: Mapping[str, Any] | None, played: str) -> bool:
    """Return whether the move ``played`` may have a value that was not stored, because another
    move, or none, had followed when the position was evaluated."""
    if packed is None:
        return True
    stored = packed.get("moves", ())
    if not played or packed["of"] == played or packed.get("count", 0) <= len(stored):
        return False
    return all(entry[0] != played for entry in stored)


def noise_of(values: Mapping[str, Any]) -> float:
    """Return the loss below which a move is as good as the best. Old evaluations contain only the
    limit for mistakes."""
    limit: float | None = values.get("inaccuracy")
    return values.get("mistake", 0.0) / 2 if limit is None else limit


def _is_costly(values: Mapping[str, Any], played: str) -> bool:
    best = values["moves"][0]
    return any(
        entry["move"] == played
        and (best["known"] and entry["known"])
        and best["value"] - entry["value"] >= noise_of(values)
        for entry in values["moves"]
    )


def _pack_rest(
    values: Mapping[str, Any], played: str, entries: Sequence[Mapping[str, Any]], texts: _Texts
) -> dict[str, Any]:
    """Return under ``rest`` the moves apart from ``entries`` in groups ``[good, shown, *moves]``,
    if the played move was costly."""
    if not _is_costly(values, played):
        return {}
    least = values["moves"][0]["value"] - noise_of(values)
    stored = {entry["move"] for entry in entries}
    groups: dict[tuple[int, int], list[str]] = {}
    others = [entry for entry in values["moves"] if entry["move"] not in stored]
    for entry in [*others, *values.get("rest", ())]:
        good = entry["good"] if "good" in entry else entry["value"] > least
        groups.setdefault((int(good), texts.index(entry["shown"])), []).append(entry["move"])
    return {"rest": [[*key, *moves] for key, moves in groups.items()]} if groups else {}


def _unpack_more(packed: Mapping[str, Any], texts: Sequence[Any]) -> dict[str, Any]:
    """Return the ``rest`` of the moves, and the ``reason`` why the played one cost so much, if they
    are stored."""
    more: dict[str, Any] = {}
    if "rest" in packed:
        more["rest"] = [
            {"move": move, "shown": texts[shown], "good": bool(good)}
            for good, shown, *moves in packed["rest"]
            for move in moves
        ]
    if "reason" in packed:
        move, best, sentence = packed["reason"]
        more["reason"] = {"move": move, "best": bool(best), "text": _long(sentence)}
    return more


class _Texts:
    """The texts of a position by number, each once: ``[number of the message, params]``."""

    def __init__(self) -> None:
        self.found: list[Any] = []
        self.messages: list[Any] = []

    def index(self, text: Mapping[str, Any]) -> int:
        """Return the number of a text."""
        message, plural, params = _nested(text)
        return _number(self.found, [_number(self.messages, [message, plural]), params])


def _number(values: list[Any], value: Any) -> int:
    if value not in values:
        values.append(value)
    return values.index(value)


def _pack_entry(entry: Mapping[str, Any], texts: _Texts) -> list[Any]:
    """Return ``[move, value, flags, shown, detail]``, without ``detail`` if it equals ``shown``."""
    flags = EXACT * bool(entry["exact"]) + KNOWN * bool(entry["known"])
    shown, detail = texts.index(entry["shown"]), texts.index(entry["detail"])
    short = [entry["move"], round(entry["value"], DIGITS), flags, shown]
    return short if detail == shown else [*short, detail]


def _unpack_entry(entry: Sequence[Any], texts: Sequence[Any]) -> dict[str, Any]:
    move, value, flags, shown, *detail = entry
    return {
        "move": move,
        "value": value,
        "exact": bool(flags & EXACT),
        "known": bool(flags & KNOWN),
        "shown": texts[shown],
        "detail": texts[detail[0] if detail else shown],
        "why": None,
    }


def _short(text: Mapping[str, Any]) -> str | list[Any]:
    """Return the JSON of a `games.contract.Text` as ``[message, plural, params]``, or as its
    message alone if it has nothing else."""
    params = {
        name: _nested(value) if isinstance(value, Mapping) else value
        for name, value in text["params"].items()
    }
    plural = text.get("plural", "")
    return [text["message"], plural, params] if plural or params else text["message"]


def _nested(text: Mapping[str, Any]) -> list[Any]:
    """Return a text among the params of another as a list, to distinguish it from a plain
    string."""
    short = _short(text)
    return [short, "", {}] if isinstance(short, str) else short


def _long(short: Any) -> dict[str, Any]:
    if isinstance(short, str):
        return {"message": short, "plural": "", "params": {}}
    message, plural, params = short
    long = {
        name: _long(value) if isinstance(value, list) else value for name, value in params.items()
    }
    return {"message": message, "plural": plural, "params": long}
