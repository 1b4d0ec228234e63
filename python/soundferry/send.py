"""Sends a package: hash, announce, upload, commit."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, Dict, List, Mapping, Optional, Protocol

from .answers import Announced, SentPackage, Status
from .cancellation import Cancellation
from .draft import DescribedPackage
from .errors import SoundferryError
from .in_parallel import in_parallel
from .limits import MAX_PACKAGE_BYTES
from .progress import OnProgress, ProgressCounter
from .retry import GIVE_UP_SECONDS, OnRetry, Pace, Retry, is_final
from .sounds import SoundBytes, hash_sound
from .upload import Upload, UploadCalls

UPLOADS_AT_ONCE = 3
_WITHDRAW_SECONDS = 5.0


class SendingCalls(UploadCalls, Protocol):
    """The calls that sending uses."""

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


class Sender:
    """One ``send``."""

    def __init__(
        self, calls: SendingCalls, pace: Pace, options: SendOptions, cancellation: Cancellation
    ) -> None:
        self._calls = calls
        self._pace = pace
        self._options = options
        self._cancellation = cancellation

    def send(self, package: DescribedPackage) -> SentPackage:
        """Sends the package. Withdraws it after a refusal that is final, and when it is stopped."""
        manifest = self._hash(package)
        key = self._options.idempotency_key or uuid.uuid4().hex
        retry = self._retry(self._cancellation)
        stop = self._cancellation
        announced = retry.run(lambda _: self._calls.announce(manifest, key, stop))
        try:
            if self._options.on_announced is not None:
                self._options.on_announced(announced)
            self._upload(announced, {each.file: each.content for each in package.sounds})
            retry.run(lambda _: self._calls.commit(announced.package_id, stop))
        except SoundferryError as error:
            error.package_id = announced.package_id
            if is_final(error):
                self._withdraw(announced.package_id)
            raise
        except BaseException:
            self._withdraw(announced.package_id)
            raise
        return SentPackage(announced.package_id, announced.warnings)

    def _hash(self, package: DescribedPackage) -> Mapping[str, Any]:
        sizes = {each.file: each.content.size for each in package.sounds}
        if sum(each.content.size for each in package.sounds) > MAX_PACKAGE_BYTES:
            megabytes = MAX_PACKAGE_BYTES // 1024**2
            raise SoundferryError(
                "These sounds are too large together: "
                f"a package can have at most {megabytes} MB.",
                code="TOTAL_TOO_LARGE",
            )
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

    def _retry(self, cancellation: Cancellation) -> Retry:
        options = self._options
        return Retry(
            self._pace, cancellation, options.on_retry, give_up_after=options.give_up_after
        )

    def _withdraw(self, package_id: str) -> None:
        """Best effort: otherwise the package ends with its upload window. A package with the app's own key stays."""
        if self._options.idempotency_key is not None:
            return
        try:
            self._calls.withdraw(package_id, _WITHDRAW_SECONDS)
        except SoundferryError:
            pass
