"""HTTP calls to one relay."""

from __future__ import annotations

import http.client
import json
import re
import select
import ssl
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Iterable, Mapping, Optional, Union

from .cancellation import Cancellation
from .errors import (
    SoundferryError,
    error_of_answer,
    error_of_network,
    error_of_stranger,
    impossible_request,
)
from .judge import (
    FOREIGN,
    OWN,
    QUESTIONS,
    UNFIXED,
    UNPROVEN,
    UNSETTLED,
    Answer,
    Expected,
    History,
    judge,
)
from .read_answer import Deadline, read_answer
from .relay_url import parse_relay_url

CALL_SECONDS = 30.0
STALL_SECONDS = 120.0
"""Time without progress after which an upload has failed."""


@dataclass(frozen=True)
class Body:
    """A request's body that is sent piece by piece."""

    size: int
    pieces: Callable[[], Iterable[bytes]]
    on_sent: Callable[[int], None] = lambda _: None
    """Called with the number of bytes sent so far."""


@dataclass(frozen=True)
class Request:
    """One call of the public API."""

    method: str
    path: str
    expected: Expected = UNFIXED
    """Members of a success, by which an answer without the relay's mark is judged."""
    body: Union[Mapping[str, Any], Body, None] = None
    """A mapping is sent as JSON."""
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = CALL_SECONDS
    """Seconds until the whole answer must be there. A ``Body`` fails only after a time without progress."""
    cancellation: Optional[Cancellation] = None
    token: Optional[str] = None


class RelayHttp:
    """Makes HTTP calls to one relay and judges who answers. Every failure is a ``SoundferryError``.

    It follows no redirects.
    """

    def __init__(
        self,
        relay_url: str,
        client_name: Optional[str] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._url = parse_relay_url(relay_url)
        self.history = History()
        self._ssl_context = ssl_context
        if self._url.is_https and ssl_context is None:
            self._ssl_context = ssl.create_default_context()
        # Headers are ASCII; app names may not be.
        name = None if client_name is None else re.sub(r"[^\x20-\x7e]", "?", client_name)
        self._own_headers = {} if name is None else {"X-Service-Client": name}

    @property
    def relay_url(self) -> str:
        """The base address, without a slash at its end."""
        return self._url.text

    def call(self, request: Request) -> Answer:
        """Makes a call.

        :raises SoundferryError: the relay's refusal; ``FOREIGN_ANSWER`` or ``NOT_A_RELAY`` for somebody else's answer
        """
        answer = self._exchange(request)
        verdict = judge(answer, request.expected, self.history)
        if verdict == UNSETTLED:
            verdict = OWN if self._is_relay(request.cancellation) else FOREIGN
        self.history.learn(answer, verdict == OWN)
        if verdict == FOREIGN:
            raise self.stranger(answer)
        if verdict == UNPROVEN:
            return replace(answer, is_proven=False)
        if answer.status >= 300:
            raise error_of_answer(answer.status, answer.headers, answer.body)
        return answer

    def stranger(self, answer: Answer) -> SoundferryError:
        """Returns the error for an answer that is not the relay's own."""
        return error_of_stranger(answer, self.relay_url, self.history.is_known)

    def _is_relay(self, cancellation: Optional[Cancellation]) -> bool:
        """Asks whether an unknown relay without the mark answers."""
        for method, path, body, statuses in QUESTIONS:
            question = Request(method, path, UNFIXED, body, cancellation=cancellation)
            answer = self._exchange(question)
            self.history.learn(answer, False)
            if self.history.is_marked or not answer.is_refusal or answer.status not in statuses:
                return False
        return True

    def _exchange(self, request: Request) -> Answer:
        body, headers = request.body, dict(request.headers)
        is_upload = isinstance(body, Body)
        deadline = Deadline(STALL_SECONDS if is_upload else request.timeout)
        if body is None:
            body = Body(0, lambda: [])
        elif not isinstance(body, Body):
            text = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
            body = Body(len(text), lambda: [text])
        stop = request.cancellation or Cancellation()
        connection = self._connect(deadline.left())
        try:
            connection.connect()
            with stop.closing(connection.sock):
                connection.sock.settimeout(deadline.left())
                self._put_headers(connection, request, headers, body.size)
                _put_body(connection, body)
                # An upload lasts as long as bytes move.
                end = Deadline(STALL_SECONDS) if is_upload else deadline
                return read_answer(connection.sock, request.method, end)
        except (OSError, http.client.HTTPException) as cause:
            stop.raise_if_cancelled()
            raise error_of_network(cause, self.relay_url) from cause
        finally:
            connection.close()

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        host, port = self._url.host, self._url.port
        if self._url.is_https:
            return http.client.HTTPSConnection(
                host, port, timeout=timeout, context=self._ssl_context
            )
        return http.client.HTTPConnection(host, port, timeout=timeout)

    def _put_headers(
        self,
        connection: http.client.HTTPConnection,
        request: Request,
        headers: Mapping[str, str],
        size: int,
    ) -> None:
        path = f"{self._url.path}/{request.path.lstrip('/')}"
        given = {**self._own_headers, **headers, "Connection": "close"}
        if request.token is not None:
            given["Authorization"] = f"Bearer {request.token}"
        if size > 0 or request.method in ("POST", "PUT", "PATCH"):
            given["Content-Length"] = str(size)
        try:
            connection.putrequest(request.method, path, skip_accept_encoding=True)
            for name, value in given.items():
                connection.putheader(name, value)
        except (ValueError, http.client.InvalidURL) as cause:
            raise impossible_request() from cause
        connection.endheaders()


def _put_body(connection: http.client.HTTPConnection, body: Body) -> None:
    """Sends the body until it ends, or until the relay has refused it already."""
    sent = 0
    for piece in body.pieces():
        if _has_answered(connection):
            return
        try:
            connection.send(piece)
        except (BrokenPipeError, ConnectionResetError):
            # The relay may have answered before it closed.
            return
        sent += len(piece)
        body.on_sent(sent)


def _has_answered(connection: http.client.HTTPConnection) -> bool:
    # Over TLS, readable bytes may belong to TLS itself.
    if isinstance(connection.sock, ssl.SSLSocket):
        return False
    try:
        return bool(select.select([connection.sock], [], [], 0)[0])
    except ValueError:
        return False  # On some systems, `select` accepts only low socket numbers.
