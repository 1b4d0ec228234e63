"""When a failed call is made again."""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass
from typing import Callable, Optional, TypeVar

from .cancellation import Cancellation
from .errors import SoundferryError

Result = TypeVar("Result")
OnRetry = Callable[[SoundferryError, float], None]
"""Gets the error and the seconds until the next attempt."""

TRIES = 8
GIVE_UP_SECONDS = 600.0
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 30.0
_LONGEST_RETRY_AFTER_SECONDS = 60


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
    """What a retried call says about itself."""

    failures: int = 0
    """In a row, without progress."""
    failing_since: Optional[float] = None

    def progressed(self) -> None:
        """The relay has more than before, so the counts start again."""
        self.failures, self.failing_since = 0, None


@dataclass(frozen=True)
class Retry:
    """Makes an idempotent call again while its failure is temporary.

    An answer of 408, 429 or 5xx except 507 is temporary for ``tries`` attempts without progress. No answer is temporary
    for ``give_up_after`` seconds without progress. Waits grow exponentially from half a second to half a minute, with
    jitter, and are never shorter than ``Retry-After``. One of more than a minute is not waited for.
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
                if not self._may_retry(error, attempts):
                    raise
                wait = self._wait_before(attempts.failures, error)
                if self.on_retry is not None:
                    self.on_retry(error, wait)
            self.pace.sleep(wait, self.cancellation)

    def _may_retry(self, error: SoundferryError, attempts: Attempts) -> bool:
        now = self.pace.now()
        if attempts.failing_since is None:
            attempts.failing_since = now
        attempts.failures += 1
        if not is_temporary(error):
            return False
        if error.status is None:
            return now - attempts.failing_since < self.give_up_after
        return attempts.failures < self.tries

    def _wait_before(self, failures: int, error: SoundferryError) -> float:
        # A longer row of failures would overflow.
        full = min(_LONGEST_WAIT_SECONDS, _FIRST_WAIT_SECONDS * 2.0 ** min(failures - 1, 10))
        return max(full * (0.5 + self.pace.random() / 2), float(error.retry_after or 0))


def forever(pace: Pace, cancellation: Cancellation, on_retry: Optional[OnRetry]) -> Retry:
    """Retries without an end, as ``follow`` does."""
    return Retry(pace, cancellation, on_retry, tries=math.inf, give_up_after=math.inf)


def is_temporary(error: SoundferryError) -> bool:
    """Whether the same call may succeed in a minute."""
    if (error.retry_after or 0) > _LONGEST_RETRY_AFTER_SECONDS:
        return False
    if error.status is None:
        return error.code is None
    if error.code == "UPLOAD_OFFSET_DIFFERS":
        return True
    return error.status in (408, 429) or (error.status >= 500 and error.status != 507)


def is_final(error: SoundferryError) -> bool:
    """Whether a package that failed so will never arrive, so that it may be withdrawn."""
    if error.status is None:
        return error.code is not None
    return error.status not in (401, 408, 429) and error.status < 500
