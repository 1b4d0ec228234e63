"""Turns the relay's answers into values.

Every function raises TypeError, KeyError or AttributeError for an answer that isn't one.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Optional, TypeVar

from .answers import (
    Announced,
    Difference,
    Listed,
    Me,
    PackagePage,
    Repair,
    Room,
    SoundResult,
    Status,
)

Value = TypeVar("Value")


def parse_me(body: Mapping[str, Any]) -> Me:
    """Parses the answer of ``GET /app/me``."""
    room = body.get("room")
    return Me(
        _text(body["device_name"]),
        _text(body["app_name"]),
        str(body.get("paired_at", "")),
        None
        if room is None
        else Room(
            _whole(room["bytes_left"]),
            _whole(room["waiting_left"]),
            _whole(room["package_bytes_max"]),
        ),
    )


def parse_announced(body: Mapping[str, Any]) -> Announced:
    """Parses the answer of ``POST /packages``."""
    warnings = [_parse_repair(each) for each in body["warnings"]]
    upload = _texts(body["upload"])
    expires_in = _optional(_whole, body.get("expires_in"))
    return Announced(_text(body["package_id"]), upload, warnings, expires_in)


def _parse_repair(body: Any) -> Repair:
    # The public specification doesn't fix the shape of a warning.
    if not isinstance(body, dict):
        return Repair("", str(body))
    sound, about = _optional(str, body.get("sound")), _optional(str, body.get("field"))
    return Repair(str(body.get("code", "")), str(body.get("message", "")), sound, about)


def parse_status(body: Mapping[str, Any], package_id: str) -> Status:
    """Parses the answer of ``GET /packages/{id}/status``. The public specification fixes only ``status``."""
    results: Dict[str, SoundResult] = {
        sound: _parse_result(result) for sound, result in body.get("results", {}).items()
    }
    return Status(
        _text(body.get("package_id", package_id)),
        _text(body.get("title", "")),
        _text(body["status"]),
        _texts(body.get("files", {})),
        _optional(_whole, body.get("expires_in")),
        body.get("taken") is True,
        results,
        body,
    )


def parse_page(body: Mapping[str, Any]) -> PackagePage:
    """Parses the answer of ``GET /packages``."""
    listed = [
        Listed(
            _text(each["package_id"]),
            _text(each["title"]),
            _text(each["status"]),
            each.get("taken") is True,
            _text(each["created_at"]),
            _optional(_whole, each.get("expires_in")),
        )
        for each in body["packages"]
    ]
    return PackagePage(listed, _optional(_text, body.get("next")))


def _parse_result(body: Any) -> SoundResult:
    # The public specification doesn't fix the shape of a result.
    if not isinstance(body, dict):
        return SoundResult(str(body))
    track, file, path, error = (
        _optional(str, body.get(name)) for name in ("track", "file", "path", "error")
    )
    return SoundResult(
        str(body.get("status", "")),
        track,
        file,
        path,
        tuple(str(each) for each in body.get("notes", ())),
        tuple(
            Difference(str(each["setting"]), each.get("asked"), each.get("got"))
            for each in body.get("differences", ())
        ),
        error,
    )


def _optional(read: Callable[[Any], Value], value: Any) -> Optional[Value]:
    return None if value is None else read(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _texts(value: Any) -> Dict[str, str]:
    return {name: _text(each) for name, each in value.items()}
