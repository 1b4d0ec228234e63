"""Stores of a client's token. The token is a secret: store it like a password."""

from __future__ import annotations

import json
import os
import threading
import uuid
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Protocol, Union

from .errors import SoundferryError
from .relay_url import parse_relay_url

_JsonObject = Dict[str, Any]


class TokenStore(Protocol):
    """Stores one pairing's token."""

    def load(self) -> Optional[str]:
        """Reads the token; None if this app is not paired."""

    def save(self, token: str) -> None:
        """Replaces the stored token."""

    def forget(self, token: str) -> None:
        """Forgets this token; a different one that was saved meanwhile stays."""


class MemoryTokens:
    """Stores the token for the life of the process."""

    def __init__(self, token: Optional[str] = None) -> None:
        self._token = token

    def load(self) -> Optional[str]:
        """Reads the token, if there is one."""
        return self._token

    def save(self, token: str) -> None:
        """Replaces the token."""
        self._token = token

    def forget(self, token: str) -> None:
        """Forgets the token, unless another one was saved meanwhile."""
        if self._token == token:
            self._token = None


class TokenFile:
    """Stores the tokens of several relays in one JSON file that only its owner may read (0600).

    The Node client's ``FileTokenStore`` reads and writes the same format. Windows has no such mode, so there the file
    is as private as its folder.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], relay_url: str) -> None:
        """Uses the token of this relay's base address."""
        self._file = _PrivateJsonFile(path)
        self._relay_url = parse_relay_url(relay_url).text

    def load(self) -> Optional[str]:
        """Reads the token for this relay, if there is one."""
        token = self._file.read().get(self._relay_url)
        return token if isinstance(token, str) else None

    def save(self, token: str) -> None:
        """Replaces the token for this relay."""
        self._file.update(lambda stored: {**stored, self._relay_url: token})

    def forget(self, token: str) -> None:
        """Forgets the token for this relay, unless another one was saved meanwhile."""

        def without(stored: _JsonObject) -> Optional[_JsonObject]:
            if stored.get(self._relay_url) != token:
                return None
            return {url: other for url, other in stored.items() if url != self._relay_url}

        self._file.update(without)


class _PrivateJsonFile:
    """A JSON object in a file that only its owner may read (0600). Creates the file and its folder when needed."""

    def __init__(self, path: "os.PathLike[str] | str") -> None:
        self._path = Path(path)
        self._lock = threading.Lock()

    def read(self) -> _JsonObject:
        """Reads the object; empty if there is no file yet.

        :raises SoundferryError: ``TOKENS_DAMAGED``
        """
        try:
            value = json.loads(self._path.read_text("utf-8-sig"))
        except FileNotFoundError:
            return {}
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
        sentence = f"{self._path} is damaged. Delete it and pair again."
        raise SoundferryError(sentence, code="TOKENS_DAMAGED")

    def update(self, change: Callable[[_JsonObject], Optional[_JsonObject]]) -> None:
        """Replaces the object with what ``change`` returns; None leaves it unchanged."""
        with self._lock:
            changed = change(self.read())
            if changed is not None:
                self._replace(changed)

    def _replace(self, value: _JsonObject) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = self._path.with_name(f"{self._path.name}.{uuid.uuid4().hex}.part")
        # Created with its mode, so that nobody else can read the file before a chmod.
        opened = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(opened, "w", encoding="utf-8") as file:
                file.write(json.dumps(value, indent=2) + "\n")
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, self._path)
        except BaseException:
            partial.unlink()
            raise
