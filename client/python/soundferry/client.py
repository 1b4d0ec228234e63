"""An app's client for a relay."""

from __future__ import annotations

import math
import ssl
import uuid
from functools import partial
from typing import Any, Callable, Dict, Iterable, Iterator, Mapping, Optional, Tuple, Union

from .answers import Announced, Listed, Me, PackagePage, SentPackage, Status, Uploaded
from .cancellation import Cancellation
from .draft import App, Package, describe_package
from .errors import SoundferryError
from .pairing_code import parse_pairing_code
from .progress import OnProgress
from .relay_calls import RelayCalls
from .relay_http import RelayHttp
from .retry import GIVE_UP_SECONDS, Attempts, OnRetry, Pace, Retry
from .send import Sender, SendOptions
from .sounds import SoundBytes, SoundSource
from .tokens import TokenStore
from .upload import Upload

# Less than the 30 s after which many proxies close a connection.
_FOLLOW_SECONDS = 25
# The polling interval for a relay that doesn't hold the call.
_SHORTEST_ROUND_SECONDS = 2.0
# Time for which a claim without an answer is repeated. Somebody waits for it.
_REPEAT_CLAIM_SECONDS = 2.0


class Client:
    """Pairs with one computer and sends packages to it.

    Every method raises ``SoundferryError`` with a sentence to show; a token that the relay doesn't know is
    forgotten. Only ``send``, ``follow`` and ``pair`` retry automatically. A client may be used from several threads.
    """

    def __init__(
        self,
        relay_url: str,
        *,
        tokens: TokenStore,
        app: Optional[App] = None,
        client_name: Optional[str] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
        pace: Optional[Pace] = None,
    ) -> None:
        """
        :param relay_url: base address, such as ``https://relay.example``
        :param tokens: stores this pairing's token
        :param app: required to pair; its name is also the default for a package's ``app``
        :param client_name: ``X-Service-Client``, such as ``looper/1.2 (Looper)``; default: not sent
        :param ssl_context: default: the system's certificates
        :param pace: the clock and the randomness of retries
        :raises SoundferryError: if the address is not http or https
        """
        self._http = RelayHttp(relay_url, client_name, ssl_context)
        self._calls = RelayCalls(self._http, tokens)
        self._app = app
        self._pace = pace or Pace()
        # Keys of claims that have not paired.
        self._unpaired: Dict[Tuple[str, App], str] = {}

    @property
    def relay_url(self) -> str:
        """The relay's base address, without a slash at its end."""
        return self._http.relay_url

    def pair(self, code: str, app: Optional[App] = None) -> str:
        """Exchanges a pairing code for a token, stores it and returns the computer's name.

        The code may be typed in any width and letter case, with anything around it (rule P3). A claim whose answer
        was lost is repeated for a few seconds, and when this is called again (rule P13).
        """
        who = app or self._app
        if who is None:
            raise TypeError("To pair, give the client an `app`.")
        parsed = parse_pairing_code(code) or code
        key = self._unpaired.pop((parsed, who), None) or uuid.uuid4().hex
        claim = partial(self._calls.claim, parsed, who, key)
        retry = Retry(self._pace, Cancellation(), tries=1, give_up_after=_REPEAT_CLAIM_SECONDS)
        try:
            return retry.run(lambda _: claim())
        except SoundferryError:
            self._unpaired[parsed, who] = key
            raise

    def me(self) -> Me:
        """Gets the computer that this app is paired with, and how much room it has."""
        return self._calls.me()

    def send(
        self,
        package: Package,
        *,
        idempotency_key: Optional[str] = None,
        on_progress: Optional[OnProgress] = None,
        on_announced: Optional[Callable[[Announced], None]] = None,
        on_retry: Optional[OnRetry] = None,
        on_stopped: Optional[Callable[[str], None]] = None,
        give_up_after: float = GIVE_UP_SECONDS,
        cancellation: Optional[Cancellation] = None,
    ) -> SentPackage:
        """Sends a package: checks all sounds and the room, hashes, announces, uploads three files at a time, commits.

        Then it is ready to import. Temporary failures are retried with backoff, and a cut upload is resumed where it
        was cut. After a refusal that is final, and when it is stopped (Ctrl-C, ``cancellation``), the package is
        withdrawn, unless it has a key.

        :param idempotency_key: sending again with the same key resumes the same package, also in another process
        :param on_announced: called before the first upload with the package's id and its warnings
        :param on_retry: called with the error and the seconds until the next attempt
        :param on_stopped: called after Ctrl-C or ``cancellation`` with what became of the package: ``nothing`` (it was
            not announced), ``withdrawn``, ``kept`` (it has a key), ``taken`` (too late), or ``left`` (the relay could
            not be reached; it ends with its upload window)
        :param give_up_after: how many seconds the relay may be out of reach, without progress
        """
        self._calls.token()  # Hashing takes a while, so fail early if not paired.
        described = describe_package(package, self._app.name if self._app else None)
        options = SendOptions(
            idempotency_key, on_progress, on_announced, on_retry, give_up_after, on_stopped
        )
        return Sender(self._calls, self._pace, options, cancellation or Cancellation()).send(
            described
        )

    def follow(
        self,
        package_id: str,
        *,
        on_retry: Optional[OnRetry] = None,
        cancellation: Optional[Cancellation] = None,
    ) -> Iterator[Status]:
        """Yields the status now and after each change; ends with one that is neither uploading nor waiting."""
        stop = cancellation or Cancellation()
        retry = Retry(self._pace, stop, on_retry, tries=math.inf, give_up_after=math.inf)

        def ask(_: Attempts) -> Status:
            wait_seconds = 0 if known is None else _FOLLOW_SECONDS
            return self._calls.status(package_id, stop, wait_seconds, known)

        known: Optional[str] = None
        while True:
            began = self._pace.now()
            status = retry.run(ask)
            if status.status != known:
                yield status
            else:
                passed = self._pace.now() - began
                self._pace.sleep(max(0.0, _SHORTEST_ROUND_SECONDS - passed), stop)
            if status.is_over:
                return
            known = status.status

    def status(
        self, package_id: str, *, wait_seconds: int = 0, known: Optional[str] = None
    ) -> Status:
        """Gets the status. With ``known``, waits up to ``wait_seconds`` (at most 30) until it differs."""
        return self._calls.status(package_id, Cancellation(), wait_seconds, known)

    def list(
        self, *, status: Union[str, Iterable[str]] = (), after: Optional[str] = None
    ) -> PackagePage:
        """Gets one page of the packages that this app sent to this computer, newest first.

        A page may be short, even empty.

        :param status: only packages with this status, or one of these
        :param after: the ``next`` of the page before
        :raises SoundferryError: ``LIST_UNSUPPORTED`` at a relay that knows only the public specification
        """
        return self._calls.list([status] if isinstance(status, str) else status, after)

    def list_all(
        self, *, status: Union[str, Iterable[str]] = (), after: Optional[str] = None
    ) -> Iterator[Listed]:
        """Yields the packages of all pages, as ``list`` does; gets each page when it is needed."""
        statuses = [status] if isinstance(status, str) else [*status]
        while True:
            page = self.list(status=statuses, after=after)
            yield from page.packages
            after = page.next
            if after is None:
                return

    def withdraw(self, package_id: str) -> None:
        """Withdraws a package that is not in the host yet."""
        self._calls.withdraw(package_id)

    def unpair(self) -> None:
        """Revokes the token and forgets it."""
        self._calls.unpair()

    def announce(
        self, manifest: Mapping[str, Any], *, idempotency_key: str
    ) -> Announced:
        """Describes a package in the manifest's own format, for an app that makes each call on its own."""
        return self._calls.announce(manifest, idempotency_key, Cancellation())

    def upload(self, path: str, source: SoundSource) -> Uploaded:
        """Uploads one file, whole, to a path that ``announce`` returned."""
        sound = SoundBytes.of(source, "The sound")
        one = Upload(self._calls, path, sound, lambda _: None)
        return one.read(one.put(Cancellation()))

    def commit(self, package_id: str) -> None:
        """Marks the upload as complete; from now on the package is ready to import."""
        self._calls.commit(package_id, Cancellation())
