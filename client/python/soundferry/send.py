"""Sends a package: hash, announce, upload, commit."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, Dict, List, Mapping, Optional, Protocol

from .answers import Announced, Me, SentPackage, Status
from .cancellation import Cancellation, Cancelled
from .draft import DescribedPackage
from .errors import SoundferryError
from .in_parallel import in_parallel
from .limits import MAX_PACKAGE_BYTES
from .progress import OnProgress, ProgressCounter
from .retry import GIVE_UP_SECONDS, Attempts, OnRetry, Pace, Retry, is_final
from .room import check_room
from .sounds import SoundBytes, hash_sound
from .upload import Upload, UploadCalls

UPLOADS_AT_ONCE = 3
_WITHDRAW_SECONDS = 5.0
# The upload windows of a day.
_MAX_ROUNDS = 24


class SendingCalls(UploadCalls, Protocol):
    """The calls that sending uses."""

    def me(self, cancellation: Cancellation) -> Me:
        """``GET /app/me``."""

    def announce(
        self, manifest: Mapping[str, Any], idempotency_key: str, cancellation: Cancellation
    ) -> Announced:
        """``POST /packages``."""

    def status_now(self, package_id: str, cancellation: Cancellation) -> Status:
        """``GET /packages/{id}/status``."""

    def commit(self, package_id: str, cancellation: Cancellation) -> None:
        """``POST /packages/{id}/commit``."""

    def withdraw(self, package_id: str, timeout: float) -> None:
        """``DELETE /packages/{id}``."""


@dataclass(frozen=True)
class SendOptions:
    """What an app may choose."""

    idempotency_key: Optional[str] = None
    on_progress: Optional[OnProgress] = None
    on_announced: Optional[Callable[[Announced], None]] = None
    on_retry: Optional[OnRetry] = None
    give_up_after: float = GIVE_UP_SECONDS
    on_stopped: Optional[Callable[[str], None]] = None


class Sender:
    """One ``send``."""

    def __init__(
        self, calls: SendingCalls, pace: Pace, options: SendOptions, cancellation: Cancellation
    ) -> None:
        self._calls = calls
        self._pace = pace
        self._options = options
        self._cancellation = cancellation
        self._package_id: Optional[str] = None
        self._is_committing = False

    def send(self, package: DescribedPackage) -> SentPackage:
        """Sends the package. Withdraws it after a refusal that is final, and when it is stopped."""
        try:
            return self._send(self._prepare(package), package)
        except SoundferryError as error:
            error.package_id = self._package_id
            if is_final(error):
                self._withdraw()
            raise
        except BaseException as reason:
            outcome = self._stop()
            # A failure of the app's own callbacks is no stop.
            if self._options.on_stopped is not None and not _is_failure(reason):
                self._options.on_stopped(outcome)
            raise

    def _send(self, manifest: Mapping[str, Any], package: DescribedPackage) -> SentPackage:
        key = self._options.idempotency_key or uuid.uuid4().hex
        retry, stop = self._retry(self._cancellation), self._cancellation
        sounds = {each.file: each.content for each in package.sounds}
        for rounds_left in reversed(range(_MAX_ROUNDS)):
            self._is_committing = False
            announced = retry.run(lambda _: self._calls.announce(manifest, key, stop))
            package_id = self._package_id = announced.package_id
            if self._options.on_announced is not None:
                self._options.on_announced(announced)
            try:
                self._upload(announced, sounds)
                retry.run(partial(self._commit, package_id))
                return SentPackage(package_id, announced.warnings)
            except SoundferryError as error:
                # Its upload window has ended meanwhile.
                if error.code != "PACKAGE_EXPIRED" or rounds_left == 0:
                    raise
        raise AssertionError("The last round returns or raises.")

    def _prepare(self, package: DescribedPackage) -> Mapping[str, Any]:
        """Checks what can be known before hashing, because hashing takes a while."""
        total = sum(each.content.size for each in package.sounds)
        if total > MAX_PACKAGE_BYTES:
            limit = f"a package can have at most {MAX_PACKAGE_BYTES // 1024**2} MB."
            sentence = f"These sounds are too large together: {limit}"
            raise SoundferryError(sentence, code="TOTAL_TOO_LARGE")
        stop = self._cancellation
        me = self._retry(stop).run(lambda _: self._calls.me(stop))
        # A package that was announced before holds its room.
        if self._options.idempotency_key is None:
            check_room(me, total)
        return self._hash(package)

    def _hash(self, package: DescribedPackage) -> Mapping[str, Any]:
        sizes = {each.file: each.content.size for each in package.sounds}
        counter = ProgressCounter("hashing", sizes, self._options.on_progress)
        items: List[Dict[str, Any]] = []
        for each in package.sounds:
            on_hashed = partial(counter.count, each.file)
            digest = hash_sound(each.content, on_hashed, self._cancellation)
            items.append({**each.item, "bytes": each.content.size, "sha256": digest})
        return {**package.head, "items": items}

    def _upload(self, announced: Announced, sounds: Mapping[str, SoundBytes]) -> None:
        counter = ProgressCounter(
            "uploading",
            {file: sounds[file].size for file in announced.upload if file in sounds},
            self._options.on_progress,
        )
        # Only with the app's own key can something be there already.
        known: Mapping[str, str] = {}
        if self._options.idempotency_key is not None:
            package_id, stop = announced.package_id, self._cancellation
            status = self._retry(stop).run(lambda _: self._calls.status_now(package_id, stop))
            known = status.files

        def upload(file: str, cancellation: Cancellation) -> None:
            if file not in sounds:
                raise SoundferryError(f"{file}: the bytes of this sound are missing.")
            if known.get(file) == "uploaded":
                counter.count(file, sounds[file].size)
                return
            one = Upload(
                self._calls,
                announced.upload[file],
                sounds[file],
                partial(counter.count, file),
            )
            one.run(self._retry(cancellation), cancellation)

        in_parallel(list(announced.upload), UPLOADS_AT_ONCE, upload, self._cancellation)

    def _commit(self, package_id: str, _: Attempts) -> None:
        # Only now: a stop that comes with the last upload's end must find a package that is kept.
        self._is_committing = True
        self._calls.commit(package_id, self._cancellation)

    def _retry(self, cancellation: Cancellation) -> Retry:
        options = self._options
        return Retry(
            self._pace, cancellation, options.on_retry, give_up_after=options.give_up_after
        )

    def _stop(self) -> str:
        """Leaves nothing behind, and says what became of the package."""
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
        """Best effort: otherwise the package ends with its upload window. One with the app's own key stays."""
        if self._options.idempotency_key is None:
            self._stop()


def _is_failure(reason: BaseException) -> bool:
    return isinstance(reason, Exception) and not isinstance(reason, Cancelled)
