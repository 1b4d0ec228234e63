"""A relay's base address."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from .errors import SoundferryError

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class RelayUrl:
    """A relay's base address in its parts."""

    text: str
    """The whole address, without a slash at its end."""
    is_https: bool
    host: str
    port: int
    path: str
    """Prefix of each call's path; empty or with a slash at its start."""


def parse_relay_url(text: str) -> RelayUrl:
    """Normalizes a relay's base address.

    :raises SoundferryError: ``ADDRESS_WRONG`` if it is not http or https
    """
    try:
        parts = urlsplit(text.strip())
        scheme, host, given = parts.scheme.lower(), parts.hostname, parts.port
        (host or "").encode("idna")  # Fails for a name that can't be looked up.
    except ValueError:
        scheme, host, given = "", None, None
    if scheme not in _DEFAULT_PORTS or not host:
        sentence = f'A relay\'s address begins with http:// or https://; "{text}" does not.'
        raise SoundferryError(sentence, code="ADDRESS_WRONG")
    default = _DEFAULT_PORTS[scheme]
    port = default if given is None else given
    shown = f"[{host}]" if ":" in host else host
    path = quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=~")
    suffix = "" if port == default else f":{port}"
    return RelayUrl(f"{scheme}://{shown}{suffix}{path}", scheme == "https", host, port, path)
