"""Retries of failed calls."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Callable, Optional, TypeVar

from .cancellation import Cancellation
from .errors import GATEWAY, SoundferryError

Result = TypeVar("Result")
OnRetry = Callable[[SoundferryError, float], None]
"""A listener that gets the error and the seconds until the next attempt."""

TRIES = 8
GIVE_UP_SECONDS = 3600.0
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 30.0
_LONGEST_RETRY_AFTER_SECONDS = 60
# An append that was overtaken, or began at the wrong place: asking for the offset again helps.
_RESUMABLE = ("UPLOAD_REPLACED", "UPLOAD_OFFSET_DIFFERS")

# Failures that end a send but may be over another day.
_PASSING = ("ROOM_TOO_SMALL", "NOT_A_RELAY", "REDIRECTED")
_UNREACHABLE = ("NO_ANSWER", "TIMEOUT", "TLS_FAILED", "FOREIGN_ANSWER")


def _sleep(seconds: float, cancellation: Cancellation) -> None:
    cancellation.sleep(seconds)


@dataclass(frozen=True)
class Pace:
    """The clock and the randomness of retries and of ``follow``."""

    sleep: Callable[[float, Cancellation], None] = _sleep
    random: Callable[[], float] = random.random
    """At least 0 and less than 1."""
    now: Callable[[], float] = time.monotonic
    """Seconds since any fixed time."""


@dataclass
class Attempts:
    """Counts of the attempts of one call."""

    failures: int = 0
    """Failures in a row, without progress."""
    refusals: int = 0
    """Failures in a row of a reachable relay."""
    unreachable_since: Optional[float] = None

    def progressed(self) -> None:
        """Resets all counts, because the relay has more than before."""
        self.failures, self.refusals, self.unreachable_since = 0, 0, None


@dataclass(frozen=True)
class Retry:
    """Retries an idempotent call while its failure is temporary.

    A reachable relay may refuse ``tries`` attempts in a row without progress; a relay may be unreachable for
    ``give_up_after`` seconds. Waits grow exponentially from half a second to half a minute, with jitter, and are never
    shorter than ``Retry-After``. A ``Retry-After`` of more than a minute ends the retries.
    """

    pace: Pace
    cancellation: Cancellation
    on_retry: Optional[OnRetry] = None
    tries: float = TRIES
    give_up_after: float = GIVE_UP_SECONDS

    def run(self, act: Callable[[Attempts], Result]) -> Result:
        """Calls ``act`` until it succeeds.

        :raises SoundferryError: the last failure
        """
        attempts = Attempts()
        while True:
            self.cancellation.raise_if_cancelled()
            try:
                return act(attempts)
            except SoundferryError as error:
                if not is_temporary(error) or not self._may_retry(error, attempts):
                    raise
                wait = self._wait_before(attempts.failures, error)
                attempts.failures += 1
                if self.on_retry is not None:
                    self.on_retry(error, wait)
            self.pace.sleep(wait, self.cancellation)

    def _may_retry(self, error: SoundferryError, attempts: Attempts) -> bool:
        if _is_unreachable(error):
            now = self.pace.now()
            if attempts.unreachable_since is None:
                attempts.unreachable_since = now
            return now - attempts.unreachable_since < self.give_up_after
        attempts.unreachable_since = None
        attempts.refusals += 1
        return attempts.refusals < self.tries

    def _wait_before(self, failures: int, error: SoundferryError) -> float:
        # More failures in a row would overflow.
        full = min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0 ** min(failures, 10))
        return max(full * (0.5 + self.pace.random() / 2), float(error.retry_after or 0))


def is_temporary(error: SoundferryError) -> bool:
    """True if the same call may succeed in a minute."""
    if (error.retry_after or 0) > _LONGEST_RETRY_AFTER_SECONDS:
        return False
    if error.status is None:
        return _is_unreachable(error) or error.code == "UPLOAD_BLOCKED"
    if error.code in _RESUMABLE:
        return True
    return error.status in (408, 429) or (error.status >= 500 and error.status != 507)


def _is_unreachable(error: SoundferryError) -> bool:
    """True without an answer, for one that isn't the relay's, and for one without a code from a gateway."""
    is_gateway = error.code == "RELAY_TROUBLE" and error.status in GATEWAY
    return is_gateway or error.code in _UNREACHABLE


def is_final(error: SoundferryError) -> bool:
    """True if the package can never arrive after this error, so that it may be withdrawn."""
    if error.status is None:
        return not (is_temporary(error) or error.code in _PASSING)
    if error.status == 409 and error.code == "REFUSED":
        # Somebody else may have answered the uploads that the commit misses.
        return False
    return error.code not in _RESUMABLE and error.status not in (401, 408, 429) and error.status < 500
