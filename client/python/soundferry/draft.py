"""Packages and sounds, described by an app."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Set, Union

from .limits import is_sound_file_name
from .sounds import SoundBytes, SoundSource

SCHEMA = "app2host/1"


@dataclass(frozen=True)
class App:
    """The app that pairs."""

    name: str
    """Shown to the user beside the pairing; at most 40 characters."""
    id: str
    """Identifies this installation and stays the same each time it pairs; 1 to 200 characters."""


@dataclass(frozen=True)
class Sound:
    """One sound; it becomes one track. Only its source is required."""

    source: SoundSource
    """Path or bytes of a WAV."""
    file: Optional[str] = None
    """The sound's name on the relay, unique in the package. Default: the file's name if valid, else a numbered one."""
    id: Optional[str] = None
    """The app's own id; the sound's result has it too. Default: the position, counted from 1."""
    name: Optional[str] = None
    """Track and clip name, at most 40 characters. Default: the file's, without extension, or ``Sound <n>``."""
    kind: Optional[str] = None
    """``loop`` or ``oneshot``, the default."""
    role: Optional[str] = None
    """Selects a loop's warp mode: ``drums``, ``bass``, ``melodic``, ``vocal``, ``texture`` or ``fx``."""
    bpm: Optional[float] = None
    """The loop's own tempo if it differs from the package's; 20 to 999."""
    length_beats: Optional[float] = None
    """Length of a loop: above 0, up to 4096. Default: derived from tempo and file."""
    warp_mode: Optional[str] = None
    """A loop's warp mode, instead of the one for its role."""
    color: Optional[str] = None
    """``#RRGGBB``. Default: the color that the package's sounds share."""
    gain_db: Optional[float] = None
    """-70 to +24; 0 plays the file unchanged."""


@dataclass(frozen=True)
class Package:
    """A package for ``Client.send``. The relay validates it."""

    sounds: Sequence[Union[Sound, str, "os.PathLike[str]"]]
    """1 to 32, together at most 200 MB. A path alone is a one-shot."""
    title: Optional[str] = None
    """Names the scene; at most 60 characters. Default ``Untitled``."""
    bpm: Optional[float] = None
    """Tempo of every loop without one of its own; 20 to 999."""
    app: Optional[str] = None
    """Appended to each name, as ``<name> (<app>)``. Default: the name of the client's app."""
    app_version: Optional[str] = None
    """The app's version, which is only logged."""


@dataclass(frozen=True)
class DescribedSound:
    """A sound with its entry in the manifest, which lacks ``bytes`` and ``sha256``."""

    file: str
    item: Mapping[str, Any]
    content: SoundBytes
    position: int
    """Place in the package, counted from 1."""

    @property
    def id(self) -> str:
        """The draft's id, or else the position, which a relay takes, too."""
        own = self.item.get("id")
        return own if isinstance(own, str) else str(self.position)

    @property
    def name(self) -> str:
        """The sound's name in sentences: its own, or else its name on the relay."""
        own = self.item.get("name")
        return own if isinstance(own, str) and own.strip() else self.file


@dataclass(frozen=True)
class DescribedPackage:
    """A draft in the manifest's format."""

    head: Mapping[str, Any]
    """The manifest without its ``items``."""
    sounds: Sequence[DescribedSound]

    @property
    def size(self) -> int:
        """Number of bytes of all sounds."""
        return sum(each.content.size for each in self.sounds)


def describe_package(package: Package, app_name: Optional[str]) -> DescribedPackage:
    """Names the files and converts the draft. Omitted fields stay omitted: the relay validates.

    :raises SoundferryError: ``SOUND_UNREADABLE``
    """
    app = package.app if package.app is not None else app_name
    head = _without_none(
        {
            "schema": SCHEMA,
            "title": package.title,
            "source": _without_none({"app": app, "app_version": package.app_version}),
            "tempo": None if package.bpm is None else {"bpm": package.bpm},
        }
    )
    drafts = [each if isinstance(each, Sound) else Sound(each) for each in package.sounds]
    taken = {each.file for each in drafts if each.file is not None}
    sounds: List[DescribedSound] = []
    for position, draft in enumerate(drafts, start=1):
        content = SoundBytes.of(draft.source, f"Sound {position}")
        file = draft.file
        if file is None:
            file = _free_file_name(content.name, position, taken)
        taken.add(file)
        item = _describe_sound(draft, file, content.name)
        sounds.append(DescribedSound(file, item, content, position))
    return DescribedPackage(head, sounds)


def _describe_sound(sound: Sound, file: str, own_name: Optional[str]) -> Dict[str, Any]:
    name = sound.name
    if name is None and own_name is not None:
        name = own_name.rsplit(".", 1)[0]
    return _without_none(
        {
            "file": file,
            "id": sound.id,
            "name": name,
            "kind": sound.kind,
            "role": sound.role,
            "bpm": sound.bpm,
            "length_beats": sound.length_beats,
            "warp_mode": sound.warp_mode,
            "color": sound.color,
            "gain_db": sound.gain_db,
        }
    )


def _free_file_name(own: Optional[str], position: int, taken: Set[str]) -> str:
    if own is not None and is_sound_file_name(own) and own not in taken:
        return own
    numbered = f"sound-{position}.wav"
    while numbered in taken:
        numbered = f"again-{numbered}"
    return numbered


def _without_none(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
