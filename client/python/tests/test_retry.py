"""Retries of failed calls."""

from __future__ import annotations

import threading
import time
import unittest
from typing import List, Optional

from soundferry import Cancellation, Cancelled, SoundferryError
from soundferry.cancellation import in_parallel
from soundferry.retry import Attempts, Retry, is_final

from .stand_in import HurriedClock


def failing(
    error: SoundferryError, clock: HurriedClock, succeeds_after: Optional[int] = None, progress: bool = False
) -> int:
    """Counts the attempts of a call that fails with this error."""
    calls = 0

    def act(attempts: Attempts) -> None:
        nonlocal calls
        calls += 1
        if progress:
            attempts.progressed()
        if succeeds_after is None or calls <= succeeds_after:
            raise error

    try:
        Retry(clock.pace(), Cancellation()).run(act)
    except SoundferryError as last:
        assert last is error
    return calls


class RetryTest(unittest.TestCase):
    def test_a_temporary_answer_is_tried_eight_times(self) -> None:
        for status in (408, 429, 500, 503):
            clock = HurriedClock()
            self.assertEqual(failing(SoundferryError("Busy.", status=status, code="BUSY"), clock), 8)
            self.assertEqual(clock.waits, [0.25, 0.5, 1, 2, 4, 8, 15])

    def test_progress_starts_the_count_again(self) -> None:
        error = SoundferryError("Cut.", status=503, code="BUSY")
        self.assertEqual(failing(error, HurriedClock(), succeeds_after=30, progress=True), 31)

    def test_a_final_answer_is_not_tried_again(self) -> None:
        for status in (400, 401, 404, 409, 413, 422, 507):
            self.assertEqual(failing(SoundferryError("No.", status=status, code="REFUSED"), HurriedClock()), 1)

    def test_no_answer_is_tried_for_an_hour(self) -> None:
        clock = HurriedClock()
        failing(SoundferryError("The connection was lost.", code="NO_ANSWER"), clock)
        self.assertGreaterEqual(sum(clock.waits), 3600)
        self.assertLess(sum(clock.waits), 3600 + 30)

    def test_no_wait_is_shorter_than_the_relay_asks_for(self) -> None:
        clock = HurriedClock()
        failing(SoundferryError("Wait.", code="BUSY", status=429, retry_after=7), clock, succeeds_after=1)
        self.assertEqual(clock.waits, [7])
        asks_too_much = SoundferryError("Wait.", code="BUSY", status=429, retry_after=61)
        self.assertEqual(failing(asks_too_much, HurriedClock()), 1)

    def test_room_and_time_are_never_final(self) -> None:
        final = {
            status
            for status in range(400, 3600)
            if is_final(SoundferryError("", status=status, code="REFUSED"))
        }
        self.assertEqual({401, 408, 409, 429, 500, 503, 507} & final, set())
        self.assertLessEqual({400, 404, 413, 422}, final)
        self.assertTrue(is_final(SoundferryError("", status=409, code="PACKAGE_TAKEN")))
        for code in (
            "FOREIGN_ANSWER",
            "NO_ANSWER",
            "NOT_A_RELAY",
            "REDIRECTED",
            "TIMEOUT",
            "TLS_FAILED",
            "UPLOAD_BLOCKED",
        ):
            self.assertFalse(is_final(SoundferryError("", code=code)))
        self.assertTrue(is_final(SoundferryError("", code="SOUND_UNREADABLE")))


class CancellationTest(unittest.TestCase):
    def test_a_sleep_ends_at_once(self) -> None:
        stop = Cancellation()
        threading.Timer(0.01, stop.cancel).start()
        began = time.monotonic()
        with self.assertRaises(Cancelled):
            stop.sleep(60)
        self.assertLess(time.monotonic() - began, 30)

    def test_the_first_failure_stops_the_others_and_is_raised(self) -> None:
        ended: List[int] = []

        def act(item: int, cancellation: Cancellation) -> None:
            if item == 1:
                raise ValueError("first")
            try:
                cancellation.sleep(60)
            finally:
                ended.append(item)

        parent = Cancellation()
        with self.assertRaisesRegex(ValueError, "first"):
            in_parallel([0, 1, 2, 3], 2, act, parent)
        self.assertEqual(ended, [0])
        self.assertFalse(parent.cancelled)
