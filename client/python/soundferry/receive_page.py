"""The page that receives in any browser."""

from __future__ import annotations

import ipaddress
from typing import Optional
from urllib.parse import urlsplit

from .relay_url import parse_relay_url


def receive_page_of(relay: str) -> Optional[str]:
    """Returns the address of a relay's page that receives without anything installed.

    None on http that isn't this computer's, where browsers can't receive.

    :raises SoundferryError: ``ADDRESS_WRONG``
    """
    url = parse_relay_url(relay)
    host = urlsplit(url.text).hostname or ""
    return f"{url.text}/receive" if url.is_https or _is_this_computer(host) else None


def _is_this_computer(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
