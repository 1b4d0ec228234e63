"""Where a client keeps its token. The token is a secret: store it like a password."""

from __future__ import annotations

import os
from typing import Optional, Protocol, Union

from .private_json_file import JsonObject, PrivateJsonFile
from .relay_url import parse_relay_url


class TokenStore(Protocol):
    """Stores one pairing's token."""

    def load(self) -> Optional[str]:
        """The token; None if this app is not paired."""

    def save(self, token: str) -> None:
        """Replaces the stored token."""

    def forget(self, token: str) -> None:
        """Forgets this token; a different one that was saved meanwhile stays."""


class MemoryTokens:
    """Stores the token for the life of the process."""

    def __init__(self, token: Optional[str] = None) -> None:
        self._token = token

    def load(self) -> Optional[str]:
        """The token, if there is one."""
        return self._token

    def save(self, token: str) -> None:
        """Replaces it."""
        self._token = token

    def forget(self, token: str) -> None:
        """Forgets it, unless it is another one by now."""
        if self._token == token:
            self._token = None


class TokenFile:
    """Stores the tokens of several relays in one JSON file that only its owner may read (0600).

    The Node client's ``FileTokenStore`` reads and writes the same format. Windows knows no such mode: there the file is
    as private as its folder.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], relay_url: str) -> None:
        """Uses the token of this relay's base address."""
        self._file = PrivateJsonFile(path)
        self._relay_url = parse_relay_url(relay_url).text

    def load(self) -> Optional[str]:
        """The token for this relay, if there is one."""
        token = self._file.read().get(self._relay_url)
        return token if isinstance(token, str) else None

    def save(self, token: str) -> None:
        """Replaces the token for this relay."""
        self._file.update(lambda stored: {**stored, self._relay_url: token})

    def forget(self, token: str) -> None:
        """Forgets the token for this relay, unless it is another one by now."""

        def without(stored: JsonObject) -> Optional[JsonObject]:
            if stored.get(self._relay_url) != token:
                return None
            return {url: other for url, other in stored.items() if url != self._relay_url}

        self._file.update(without)
