"""The calls of the public API, with the stored token."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, TypeVar
from urllib.parse import quote, urlencode

from .answers import Announced, Me, PackagePage, Status, is_committed
from .cancellation import Cancellation
from .draft import App
from .errors import SoundferryError
from .judge import IS_ANNOUNCED, IS_CLAIMED, IS_ME, IS_PAGE, Answer, History, is_status
from .limits import MAX_WAIT_SECONDS
from .parse_answers import parse_announced, parse_me, parse_page, parse_status
from .relay_http import CALL_SECONDS, RelayHttp, Request
from .tokens import TokenStore

# Answers of a server that doesn't know a call.
_UNSUPPORTED = (404, 405, 501)
# Long, because a relay may wait up to half a minute for a yes on the computer.
_CLAIM_SECONDS = 60.0

Value = TypeVar("Value")


class RelayCalls:
    """The calls of a paired app. A token that the relay doesn't know is forgotten (rule W7).

    A relay that knows only the public specification may answer a commit, a withdrawal or an unpairing with any JSON
    object. Such an answer counts only after a read (rule W41).
    """

    def __init__(self, http: RelayHttp, tokens: TokenStore) -> None:
        self._http = http
        self._tokens = tokens

    @property
    def history(self) -> History:
        """Facts about this relay."""
        return self._http.history

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
        claim = Request("POST", "/pair/claim", IS_CLAIMED, body, headers, _CLAIM_SECONDS)
        answer = self._http.call(claim)
        self._tokens.save(answer.body["app_token"])
        return str(answer.body["device_name"])

    def unpair(self) -> None:
        """Revokes the token and forgets it."""
        token = self.token()
        answer = self.call(Request("POST", "/app/unpair"))
        if not answer.is_proven:
            self._confirm_refused(answer, 401, Request("GET", "/app/me", IS_ME))
        self._tokens.forget(token)

    def me(self, cancellation: Optional[Cancellation] = None) -> Me:
        """Gets the paired computer."""
        request = Request("GET", "/app/me", IS_ME, cancellation=cancellation)
        return self._read(self.call(request), parse_me)

    def announce(
        self, manifest: Mapping[str, Any], idempotency_key: str, cancellation: Cancellation
    ) -> Announced:
        """Describes a package."""
        headers = {"Idempotency-Key": idempotency_key}
        request = Request(
            "POST", "/packages", IS_ANNOUNCED, manifest, headers, cancellation=cancellation
        )
        return self._read(self.call(request), parse_announced)

    def commit(self, package_id: str, cancellation: Cancellation) -> None:
        """Makes the package ready to import."""
        path = f"{_path_of(package_id)}/commit"
        answer = self.call(Request("POST", path, cancellation=cancellation))
        if answer.is_proven or is_committed(self.status(package_id, cancellation).status):
            return
        raise self._http.stranger(answer)

    def withdraw(self, package_id: str, timeout: float = CALL_SECONDS) -> None:
        """Withdraws the package."""
        path = _path_of(package_id)
        answer = self.call(Request("DELETE", path, timeout=timeout))
        if not answer.is_proven:
            status = Request("GET", f"{path}/status", is_status, timeout=timeout)
            self._confirm_refused(answer, 404, status)

    def status(
        self,
        package_id: str,
        cancellation: Cancellation,
        wait_seconds: int = 0,
        known: Optional[str] = None,
    ) -> Status:
        """Gets the status. With ``known``, waits until it differs."""
        wait = max(0, min(wait_seconds, MAX_WAIT_SECONDS))
        query = {
            **({"wait": str(wait)} if wait > 0 else {}),
            **({} if known is None else {"known": known}),
        }
        path = f"{_path_of(package_id)}/status" + (f"?{urlencode(query)}" if query else "")
        timeout = CALL_SECONDS + wait
        request = Request("GET", path, is_status, timeout=timeout, cancellation=cancellation)
        return self._read(self.call(request), lambda body: parse_status(body, package_id))

    def list(self, statuses: Iterable[str], after: Optional[str]) -> PackagePage:
        """Lists one page of the app's own packages.

        :raises SoundferryError: ``LIST_UNSUPPORTED`` at a relay that knows only the public specification
        """
        names = ",".join(statuses)
        query = {
            **({"status": names} if names else {}),
            **({} if after is None else {"after": after}),
        }
        path = "/packages" + (f"?{urlencode(query)}" if query else "")
        try:
            return self._read(self.call(Request("GET", path, IS_PAGE)), parse_page)
        except SoundferryError as error:
            status = error.status or error.foreign_status
            if self.history.is_marked or status not in _UNSUPPORTED:
                raise
            self.me()
            sentence = "This relay can't list packages."
            raise SoundferryError(
                sentence, code="LIST_UNSUPPORTED", status=error.status
            ) from error

    def call(self, request: Request) -> Answer:
        """Makes a call with the token."""
        token = self.token()
        try:
            return self._http.call(replace(request, token=token))
        except SoundferryError as error:
            # Without a token, a call says nothing about it.
            if error.status == 401 and error.code != "TOKEN_MISSING":
                self._tokens.forget(token)
            raise

    def _confirm_refused(self, answer: Answer, status: int, request: Request) -> None:
        """Confirms an answer by the relay's refusal of another call.

        :raises SoundferryError: ``FOREIGN_ANSWER`` if the relay doesn't refuse it
        """
        try:
            self.call(request)
        except SoundferryError as error:
            if error.status == status:
                return
            raise
        raise self._http.stranger(answer)

    def _read(self, answer: Answer, read: Callable[[Dict[str, Any]], Value]) -> Value:
        try:
            return read(answer.body)
        except (KeyError, TypeError, AttributeError, ValueError) as cause:
            raise self._http.stranger(answer) from cause


def _path_of(package_id: str) -> str:
    return f"/packages/{quote(package_id, safe='')}"
