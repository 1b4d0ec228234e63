"""The relay's answers as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, TypeVar, Union

Setting = Union[str, float, bool, None]
Value = TypeVar("Value")


@dataclass(frozen=True)
class Room:
    """The room for a package now. It is advice: nothing is reserved."""

    bytes_left: int
    waiting_left: int
    package_bytes_max: int


@dataclass(frozen=True)
class Me:
    """The computer that the app is paired with."""

    device_name: str
    app_name: str
    paired_at: str
    room: Optional[Room] = None
    """None at a relay that doesn't report it."""


@dataclass(frozen=True)
class Repair:
    """A repair that the relay made in the description of a package, for the app's developer."""

    code: str
    message: str
    sound: Optional[str] = None
    """Id of the repaired sound, if any."""
    field: Optional[str] = None


@dataclass(frozen=True)
class Announced:
    """A package that is being sent."""

    package_id: str
    upload: Mapping[str, str]
    """Upload path of each file."""
    warnings: Sequence[Repair]
    expires_in: Optional[int] = None
    """Seconds until the upload window ends; None at a relay that doesn't report it."""


@dataclass(frozen=True)
class Uploaded:
    """A file that is part of its package."""

    file: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Difference:
    """A setting for which the host holds a value other than the requested one."""

    setting: str
    asked: Setting
    got: Setting


@dataclass(frozen=True)
class SoundResult:
    """The result of one sound."""

    status: str
    """``imported``, ``skipped`` or ``failed``."""
    track: Optional[str] = None
    file: Optional[str] = None
    path: Optional[str] = None
    """Its path below the importer's sounds folder, with ``/``."""
    notes: Sequence[str] = ()
    differences: Sequence[Difference] = ()
    error: Optional[str] = None
    """Reason why the sound isn't in the host."""


@dataclass(frozen=True)
class Status:
    """The state of a package."""

    package_id: str
    title: str
    status: str
    """``uploading``, ``waiting``, ``imported``, ``partial``, ``failed`` or ``expired``."""
    files: Mapping[str, str]
    """``missing`` or ``uploaded``, by file."""
    expires_in: Optional[int] = None
    taken: bool = False
    """True while an import is running."""
    results: Mapping[str, SoundResult] = field(default_factory=dict)
    """Results by the sound's id; empty before the import."""
    json: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """The whole answer, including members that this version doesn't know."""

    @property
    def is_over(self) -> bool:
        """True once an import has ended or the package has expired."""
        return self.status not in ("uploading", "waiting")

    def has(self, file: str) -> bool:
        """True if the relay has this file. One that knows only the public specification lists none."""
        return is_committed(self.status) or self.files.get(file) == "uploaded"


@dataclass(frozen=True)
class Listed:
    """A package in a list."""

    package_id: str
    title: str
    status: str
    taken: bool
    created_at: str
    expires_in: Optional[int]


@dataclass(frozen=True)
class PackagePage:
    """A page of the app's own packages, newest first."""

    packages: Sequence[Listed]
    next: Optional[str]
    """Value of ``after`` for the next page; None on the last one."""


@dataclass(frozen=True)
class SentPackage:
    """A package that is ready to import."""

    package_id: str
    warnings: Sequence[Repair]


def is_committed(status: str) -> bool:
    """Checks that a package with this status has arrived whole."""
    return status not in ("uploading", "expired")


def read_me(body: Mapping[str, Any]) -> Me:
    """Reads the answer of ``GET /app/me``. Like every reader, raises TypeError or KeyError for what isn't one."""
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


def read_announced(body: Mapping[str, Any]) -> Announced:
    """Reads the answer of ``POST /packages``."""
    warnings = [_read_repair(each) for each in body["warnings"]]
    upload = _texts(body["upload"])
    expires_in = _optional(_whole, body.get("expires_in"))
    return Announced(_text(body["package_id"]), upload, warnings, expires_in)


def _read_repair(body: Any) -> Repair:
    # The public specification doesn't fix the shape of a warning.
    if not isinstance(body, dict):
        return Repair("", str(body))
    sound, about = _optional(str, body.get("sound")), _optional(str, body.get("field"))
    return Repair(str(body.get("code", "")), str(body.get("message", "")), sound, about)


def read_status(body: Mapping[str, Any], package_id: str) -> Status:
    """Reads the answer of ``GET /packages/{id}/status``. The public specification fixes only ``status``."""
    results: Dict[str, SoundResult] = {
        sound: _read_result(result) for sound, result in body.get("results", {}).items()
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


def read_page(body: Mapping[str, Any]) -> PackagePage:
    """Reads the answer of ``GET /packages``."""
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


def _read_result(body: Any) -> SoundResult:
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
