"""The relay's answers as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Union

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
