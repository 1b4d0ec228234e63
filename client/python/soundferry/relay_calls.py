"""The calls of the public API, with the stored token."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, Mapping, Optional, TypeVar
from urllib.parse import quote, urlencode

from .answers import (
    Announced,
    Me,
    PackagePage,
    Status,
    Uploaded,
    read_announced,
    read_me,
    read_page,
    read_status,
)
from .cancellation import Cancellation
from .draft import App
from .errors import SoundferryError
from .limits import MAX_WAIT_SECONDS
from .relay_http import CALL_SECONDS, Answer, Body, RelayHttp
from .tokens import TokenStore

# Long, because a relay may wait up to half a minute for a yes on the computer.
_CLAIM_SECONDS = 60.0

Value = TypeVar("Value")


class RelayCalls:
    """The calls of a paired app, one request each. A 401 forgets the token (rule W7)."""

    def __init__(self, http: RelayHttp, tokens: TokenStore) -> None:
        self._http = http
        self._tokens = tokens

    def token(self) -> str:
        """Returns the stored token.

        :raises SoundferryError: ``NOT_PAIRED``
        """
        token = self._tokens.load()
        if token is not None:
            return token
        sentence = "Not paired with this relay yet. Enter a pairing code."
        raise SoundferryError(sentence, status=401, code="NOT_PAIRED")

    def claim(self, code: str, app: App, idempotency_key: str) -> str:
        """Exchanges a code for a token, stores it and returns the computer's name."""
        headers = {"Idempotency-Key": idempotency_key}
        body = {"code": code, "app_name": app.name, "app_id": app.id}
        answer = self._http.call(
            "POST", "/pair/claim", body=body, headers=headers, timeout=_CLAIM_SECONDS
        )
        token, device = self._read(
            answer, lambda got: (str(got["app_token"]), str(got["device_name"]))
        )
        self._tokens.save(token)
        return device

    def unpair(self) -> None:
        """Revokes the token and forgets it."""
        token = self.token()
        self._call("POST", "/app/unpair")
        self._tokens.forget(token)

    def me(self, cancellation: Optional[Cancellation] = None) -> Me:
        """Gets the paired computer."""
        return self._read(self._call("GET", "/app/me", cancellation=cancellation), read_me)

    def announce(
        self, manifest: Mapping[str, Any], idempotency_key: str, cancellation: Cancellation
    ) -> Announced:
        """Describes a package."""
        headers = {"Idempotency-Key": idempotency_key}
        answer = self._call(
            "POST", "/packages", body=manifest, headers=headers, cancellation=cancellation
        )
        return self._read(answer, read_announced)

    def commit(self, package_id: str, cancellation: Cancellation) -> None:
        """Makes the package ready to import."""
        self._call("POST", f"{_path_of(package_id)}/commit", cancellation=cancellation)

    def withdraw(self, package_id: str, timeout: float = CALL_SECONDS) -> None:
        """Withdraws the package."""
        self._call("DELETE", _path_of(package_id), timeout=timeout)

    def status(
        self,
        package_id: str,
        cancellation: Cancellation,
        wait_seconds: int = 0,
        known: Optional[str] = None,
    ) -> Status:
        """Gets the status. With ``known``, waits until it differs."""
        wait = min(wait_seconds, MAX_WAIT_SECONDS)
        query = {
            **({"wait": str(wait)} if wait > 0 else {}),
            **({} if known is None else {"known": known}),
        }
        path = f"{_path_of(package_id)}/status" + (f"?{urlencode(query)}" if query else "")
        answer = self._call("GET", path, timeout=CALL_SECONDS + wait, cancellation=cancellation)
        return self._read(answer, read_status)

    def packages(self, statuses: Iterable[str], after: Optional[str]) -> PackagePage:
        """Lists one page of the app's own packages."""
        names = ",".join(statuses)
        query = {
            **({"status": names} if names else {}),
            **({} if after is None else {"after": after}),
        }
        path = "/packages" + (f"?{urlencode(query)}" if query else "")
        return self._read(self._call("GET", path), read_page)

    def ask(self, path: str, headers: Dict[str, str], cancellation: Cancellation) -> Answer:
        """Asks how much of a file the relay has."""
        return self._call("HEAD", path, headers=headers, cancellation=cancellation)

    def send_bytes(
        self,
        method: str,
        path: str,
        headers: Dict[str, str],
        body: Body,
        cancellation: Cancellation,
    ) -> Answer:
        """Sends a file or the rest of it."""
        return self._with_token(
            lambda token: self._http.send(method, path, headers, body, token, None, cancellation)
        )

    def read_uploaded(self, answer: Answer) -> Uploaded:
        """Reads the answer to a complete upload."""
        return self._read(answer, lambda got: Uploaded(got["file"], got["bytes"], got["sha256"]))

    def _call(
        self,
        method: str,
        path: str,
        *,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: float = CALL_SECONDS,
        cancellation: Optional[Cancellation] = None,
    ) -> Answer:
        return self._with_token(
            lambda token: self._http.call(
                method,
                path,
                token=token,
                body=body,
                headers=headers,
                timeout=timeout,
                cancellation=cancellation,
            )
        )

    def _with_token(self, act: Callable[[str], Answer]) -> Answer:
        token = self.token()
        try:
            return act(token)
        except SoundferryError as error:
            if error.status == 401:
                self._tokens.forget(token)
            raise

    def _read(self, answer: Answer, read: Callable[[Dict[str, Any]], Value]) -> Value:
        try:
            return read(answer.body)
        except (KeyError, TypeError, AttributeError, ValueError) as cause:
            raise self._http.not_a_relay(answer.status) from cause


def _path_of(package_id: str) -> str:
    return f"/packages/{quote(package_id, safe='')}"
