"""Sends a package: check, hash, announce, upload, commit."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, Mapping, Optional

from .answers import Announced, SentPackage, Status, is_committed
from .cancellation import Cancellation, Cancelled, in_parallel
from .draft import DescribedPackage, DescribedSound
from .errors import SoundferryError
from .prepare import check_room, check_sounds, hash_package
from .progress import OnProgress, ProgressCounter
from .relay_calls import RelayCalls
from .retry import GIVE_UP_SECONDS, Attempts, OnRetry, Pace, Retry, is_final
from .sound_names import name_sounds
from .upload import Upload

Sounds = Mapping[str, DescribedSound]
"""A package's sounds by their names on the relay."""

UPLOADS_AT_ONCE = 3
_WITHDRAW_SECONDS = 5.0
# The upload windows of a day.
_MAX_ROUNDS = 24
_MAX_UPLOADS = 3


@dataclass(frozen=True)
class SendOptions:
    """Options of one ``send``."""

    idempotency_key: Optional[str] = None
    on_progress: Optional[OnProgress] = None
    on_announced: Optional[Callable[[Announced], None]] = None
    on_retry: Optional[OnRetry] = None
    give_up_after: float = GIVE_UP_SECONDS
    on_stopped: Optional[Callable[[str], None]] = None


class Sender:
    """One package on its way to the relay."""

    def __init__(
        self, calls: RelayCalls, pace: Pace, options: SendOptions, cancellation: Cancellation
    ) -> None:
        self._calls = calls
        self._pace = pace
        self._options = options
        self._cancellation = cancellation
        self._package_id: Optional[str] = None
        self._is_committing = False

    def send(self, package: DescribedPackage) -> SentPackage:
        """Sends the package. Withdraws it after a final refusal, or when it is stopped."""
        try:
            return self._send(self._prepare(package), package)
        except SoundferryError as error:
            error.package_id = self._package_id
            name_sounds(error, {each.file: each for each in package.sounds})
            if is_final(error):
                self._withdraw()
            raise
        except BaseException as reason:
            outcome = self._stop()
            # A failure of the app's own callbacks doesn't count as a stop.
            if self._options.on_stopped is not None and not _is_failure(reason):
                self._options.on_stopped(outcome)
            raise

    def _send(self, manifest: Mapping[str, Any], package: DescribedPackage) -> SentPackage:
        key = self._options.idempotency_key or uuid.uuid4().hex
        stop = self._cancellation
        sounds = {each.file: each for each in package.sounds}
        for rounds_left in reversed(range(_MAX_ROUNDS)):
            self._is_committing = False
            announced = self._retry(stop).run(lambda _: self._calls.announce(manifest, key, stop))
            self._package_id = announced.package_id
            if self._options.on_announced is not None:
                self._options.on_announced(announced)
            # The package is announced again if its upload window has ended.
            if self._deliver(announced, sounds, rounds_left):
                return SentPackage(announced.package_id, announced.warnings)
        raise AssertionError("The last round returns or raises.")

    def _deliver(self, announced: Announced, sounds: Sounds, rounds_left: int) -> bool:
        """Uploads and commits; uploads again what the commit finds missing. False if the upload window has ended."""
        is_new = self._options.idempotency_key is None
        for uploads_left in reversed(range(_MAX_UPLOADS)):
            try:
                self._upload(announced, sounds, is_new)
                self._retry(self._cancellation).run(partial(self._commit, announced.package_id))
                return True
            except SoundferryError as error:
                status = self._status_after(error, announced.package_id)
                if status == "expired" and rounds_left > 0:
                    return False
                if status is not None and is_committed(status):
                    return True
                if status != "uploading" or not self._is_committing or uploads_left == 0:
                    raise
            is_new = False
        raise AssertionError("The last upload returns or raises.")

    def _status_after(self, error: SoundferryError, package_id: str) -> Optional[str]:
        """Reads what became of a package after a refusal; None if that says nothing."""
        if error.code == "PACKAGE_EXPIRED":
            return "expired"
        # An earlier commit may be done, although its answer was lost.
        if error.status != 409 and not (error.status == 404 and self._is_committing):
            return None
        return self._status(package_id).status

    def _status(self, package_id: str) -> Status:
        stop = self._cancellation
        return self._retry(stop).run(lambda _: self._calls.status(package_id, stop))

    def _prepare(self, package: DescribedPackage) -> Mapping[str, Any]:
        """Checks sounds, pairing and room before it hashes, because hashing takes a while."""
        check_sounds(package)
        stop = self._cancellation
        me = self._retry(stop).run(lambda _: self._calls.me(stop))
        # The relay holds the room of a package that was announced before.
        if self._options.idempotency_key is None:
            check_room(me, package.size)
        return hash_package(package, self._options.on_progress, stop)

    def _upload(self, announced: Announced, sounds: Sounds, is_new: bool) -> None:
        """Uploads the files that the relay may not have: all of them if ``is_new``."""
        wanted = [sounds[file] for file in announced.upload if file in sounds]
        counter = ProgressCounter("uploading", wanted, self._options.on_progress)
        known = None if is_new else self._status(announced.package_id)

        def upload(sound: DescribedSound, cancellation: Cancellation) -> None:
            if known is not None and known.has(sound.file):
                counter.count(sound, sound.content.size)
                return
            path = announced.upload[sound.file]
            one = Upload(self._calls, path, sound.content, partial(counter.count, sound))
            try:
                one.run(self._retry(cancellation), cancellation)
            except SoundferryError as error:
                name_sounds(error, sounds, sound.file)
                raise

        in_parallel(wanted, UPLOADS_AT_ONCE, upload, self._cancellation)

    def _commit(self, package_id: str, _: Attempts) -> None:
        # Set here, because a stop just after the last upload must still keep the package.
        self._is_committing = True
        self._calls.commit(package_id, self._cancellation)

    def _retry(self, cancellation: Cancellation) -> Retry:
        options = self._options
        return Retry(
            self._pace, cancellation, options.on_retry, give_up_after=options.give_up_after
        )

    def _stop(self) -> str:
        """Withdraws the package unless it is kept, and returns its fate."""
        if self._package_id is None:
            return "nothing"
        if self._options.idempotency_key is not None and not self._is_committing:
            return "kept"
        try:
            self._calls.withdraw(self._package_id, _WITHDRAW_SECONDS)
        except SoundferryError as error:
            if error.code in ("PACKAGE_TAKEN", "PACKAGE_IMPORTED"):
                return "taken"
            return "left" if error.status is None or error.status >= 500 else "withdrawn"
        return "withdrawn"

    def _withdraw(self) -> None:
        """Withdraws a package without the app's own key, if possible; otherwise it ends with its upload window."""
        if self._options.idempotency_key is None:
            self._stop()


def _is_failure(reason: BaseException) -> bool:
    return isinstance(reason, Exception) and not isinstance(reason, Cancelled)
