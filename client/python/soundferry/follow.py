"""Follows a package until its import has ended."""

from __future__ import annotations

from typing import Iterator, Optional, Protocol

from .answers import Status
from .cancellation import Cancellation
from .retry import Attempts, OnRetry, Pace, forever

# Less than the 30 s after which many proxies close a connection.
_WAIT_SECONDS = 25
# The polling interval for a relay that doesn't hold the call.
_SHORTEST_ROUND_SECONDS = 2.0


class ReadStatus(Protocol):
    """Reads the status; with ``known``, waits until it differs."""

    def __call__(
        self, wait_seconds: int, known: Optional[str], cancellation: Cancellation
    ) -> Status:
        """``GET /packages/{id}/status``."""


def follow_package(
    read_status: ReadStatus, pace: Pace, cancellation: Cancellation, on_retry: Optional[OnRetry]
) -> Iterator[Status]:
    """Yields the status now and after each change; ends with one that is over."""
    retry = forever(pace, cancellation, on_retry)

    def ask(_: Attempts) -> Status:
        return read_status(0 if known is None else _WAIT_SECONDS, known, cancellation)

    known: Optional[str] = None
    while True:
        began = pace.now()
        status = retry.run(ask)
        if status.status != known:
            yield status
        else:
            passed = pace.now() - began
            pace.sleep(max(0.0, _SHORTEST_ROUND_SECONDS - passed), cancellation)
        if status.is_over:
            return
        known = status.status
