"""The relay's answers as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Sequence, Union

Setting = Union[str, float, bool, None]


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
    """The name of the file on the importer's disk, not the manifest's ``file``; None if it wasn't fetched."""
    path: Optional[str] = None
    """That file's path below the importer's sounds folder, with ``/``."""
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
    """Reads the answer of ``GET /app/me``."""
    room = body.get("room")
    return Me(
        body["device_name"],
        body["app_name"],
        str(body.get("paired_at", "")),
        Room(room["bytes_left"], room["waiting_left"], room["package_bytes_max"]) if room else None,
    )


def read_announced(body: Mapping[str, Any]) -> Announced:
    """Reads the answer of ``POST /packages``."""
    warnings = [_read_repair(each) for each in body["warnings"]]
    return Announced(body["package_id"], dict(body["upload"]), warnings, body.get("expires_in"))


def _read_repair(body: Any) -> Repair:
    # The public specification doesn't fix the shape of a warning.
    if not isinstance(body, dict):
        return Repair("", str(body))
    message = str(body.get("message", ""))
    return Repair(str(body.get("code", "")), message, body.get("sound"), body.get("field"))


def read_status(body: Mapping[str, Any], package_id: str) -> Status:
    """Reads the answer of ``GET /packages/{id}/status``. The public specification fixes only ``status``."""
    results: Dict[str, SoundResult] = {
        sound: _read_result(result) for sound, result in body.get("results", {}).items()
    }
    return Status(
        body.get("package_id", package_id),
        body.get("title", ""),
        body["status"],
        dict(body.get("files", {})),
        body.get("expires_in"),
        body.get("taken") is True,
        results,
        body,
    )


def read_page(body: Mapping[str, Any]) -> PackagePage:
    """Reads the answer of ``GET /packages``."""
    listed = [
        Listed(
            each["package_id"],
            each["title"],
            each["status"],
            each.get("taken") is True,
            each["created_at"],
            each.get("expires_in"),
        )
        for each in body["packages"]
    ]
    return PackagePage(listed, body.get("next"))


def _read_result(body: Any) -> SoundResult:
    # The public specification doesn't fix the shape of a result.
    if not isinstance(body, dict):
        return SoundResult(str(body))
    return SoundResult(
        str(body.get("status", "")),
        body.get("track"),
        body.get("file"),
        body.get("path"),
        tuple(body.get("notes", ())),
        tuple(
            Difference(each["setting"], each.get("asked"), each.get("got"))
            for each in body.get("differences", ())
        ),
        body.get("error"),
    )
