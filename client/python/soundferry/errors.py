"""One exception for every failure, with a sentence to show."""

from __future__ import annotations

import re
import socket
import ssl
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple

from .judge import Answer

GATEWAY = (502, 503, 504)
"""Statuses by which a gateway says that it can't reach the relay."""

_LONGEST_SENTENCE = 500
# A connection that ended is lost, over TLS, too.
_TLS_ENDS = (ssl.SSLEOFError, ssl.SSLZeroReturnError)


@dataclass(frozen=True)
class Problem:
    """One fault of a package."""

    message: str
    """A sentence to show."""
    code: str
    sound: Optional[str] = None
    """Id of the sound."""
    file: Optional[str] = None
    field: Optional[str] = None
    """The property of the manifest, such as ``bpm``."""
    position: Optional[int] = None
    """Place of the sound in the package, counted from 1."""


class SoundferryError(Exception):
    """A failed call. ``str(error)`` is a sentence to show as it is; switch on ``code``, which is stable."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: Optional[int] = None,
        retry_after: Optional[int] = None,
        request_id: Optional[str] = None,
        missing: Sequence[str] = (),
        problems: Sequence[Problem] = (),
        about: Optional[Problem] = None,
        offset: Optional[int] = None,
        foreign_status: Optional[int] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """UPPER_SNAKE. The README lists those of the client itself."""
        self.status = status
        """HTTP status of the relay's answer; None when there was none."""
        self.retry_after = retry_after
        """Seconds from ``Retry-After``."""
        self.request_id = request_id
        """The answer's ``X-Request-Id``, under which the relay logged it."""
        self.missing = tuple(missing)
        """Every file that is still missing, after a commit's 409."""
        self.problems = tuple(problems)
        """Every fault of an announced package; the first one is this error."""
        self.sound = about.sound if about else None
        """Id of the sound that the error is about, if any."""
        self.file = about.file if about else None
        self.field = about.field if about else None
        self.position = about.position if about else None
        self.offset = offset
        """Offset at which the relay continues the upload, after ``UPLOAD_OFFSET_DIFFERS``."""
        self.foreign_status = foreign_status
        """HTTP status of an answer that was not the relay's."""
        self.package_id: Optional[str] = None
        """The package of a failed ``send``, if it was announced."""


def error_of_answer(
    status: int, headers: Mapping[str, str], body: Mapping[str, Any]
) -> SoundferryError:
    """Builds the error for the relay's refusal; ``headers`` has lowercase names."""
    message = body.get("error")
    retry_after = headers.get("retry-after", "")
    missing = body.get("missing")
    problems = body.get("problems")
    about = _problem_of(body)
    sentence, code = _describe(status)
    return SoundferryError(
        message[:_LONGEST_SENTENCE] if isinstance(message, str) else sentence,
        code=about.code or code,
        status=status,
        retry_after=int(retry_after) if re.fullmatch("[0-9]{1,9}", retry_after) else None,
        request_id=headers.get("x-request-id"),
        missing=[name for name in missing if isinstance(name, str)]
        if isinstance(missing, list)
        else (),
        problems=[_problem_of(each) for each in problems if isinstance(each, dict)]
        if isinstance(problems, list)
        else (),
        about=about,
        offset=_whole(body.get("expected-offset")),
    )


def error_of_stranger(answer: Answer, relay_url: str, is_known: bool) -> SoundferryError:
    """Builds the error for an answer that is not the relay's own.

    :param is_known: whether the relay has answered before
    """
    status = answer.status
    if is_known:
        sentence = "Something between this computer and the relay answers in its place. Open a page in your browser: a Wi-Fi sign-in may be waiting."
        return SoundferryError(sentence, code="FOREIGN_ANSWER", foreign_status=status)
    if status in GATEWAY:
        # It can't reach the relay, which may be starting.
        return error_of_answer(status, answer.headers, {})
    if 300 <= status < 400:
        sentence = f"{relay_url} redirects to another address. Use that one."
        return SoundferryError(sentence, code="REDIRECTED", foreign_status=status)
    sentence = f"The server at {relay_url} is not a relay. Check the address."
    return SoundferryError(sentence, code="NOT_A_RELAY", foreign_status=status)


def error_of_blocked(method: str, foreign_status: int) -> SoundferryError:
    """Builds the error for an upload that something on the way refuses while other calls pass."""
    call = f"{method}, {foreign_status}"
    sentence = f"Something between this computer and the relay refuses uploads ({call})."
    return SoundferryError(sentence, code="UPLOAD_BLOCKED", foreign_status=foreign_status)


def error_of_network(cause: Exception, relay_url: str) -> SoundferryError:
    """Builds the error for a call without an answer."""
    sentence, code = f"The connection to {relay_url} was lost. Check the network.", "NO_ANSWER"
    if isinstance(cause, ConnectionRefusedError):
        sentence = f"Nothing answers at {relay_url}. Is the relay running?"
    elif isinstance(cause, socket.gaierror):
        sentence = f"The address {relay_url} can't be found. Check it, and the network."
    # Python 3.9 has two kinds of timeouts.
    elif isinstance(cause, (socket.timeout, TimeoutError)):
        sentence, code = f"{relay_url} did not answer in time.", "TIMEOUT"
    elif isinstance(cause, ssl.SSLCertVerificationError):
        sentence = f"The certificate of {relay_url} is not trusted ({cause.verify_message})."
        code = "TLS_FAILED"
    elif isinstance(cause, ssl.SSLError) and not isinstance(cause, _TLS_ENDS):
        sentence = f"There is no secure connection to {relay_url} ({cause.reason})."
        code = "TLS_FAILED"
    return SoundferryError(sentence, code=code)


def impossible_request() -> SoundferryError:
    """Builds the error for a path, a token or a key with characters that no relay gives. It doesn't show them."""
    sentence = "The pairing's token, or a key of the app, can't be sent."
    return SoundferryError(sentence, code="REQUEST_IMPOSSIBLE")


def unreadable_sound(label: str) -> SoundferryError:
    """Builds the error for a sound whose bytes can't be read."""
    return SoundferryError(
        f"{label} can't be read any more; its file was changed or removed.", code="SOUND_UNREADABLE"
    )


def _problem_of(body: Mapping[str, Any]) -> Problem:
    texts = {name: _text(body.get(name)) for name in ("error", "code", "sound", "file", "field")}
    return Problem(
        texts["error"] or "",
        texts["code"] or "",
        texts["sound"],
        texts["file"],
        texts["field"],
        _whole(body.get("position")),
    )


def _text(value: object) -> Optional[str]:
    return value if isinstance(value, str) else None


def _whole(value: object) -> Optional[int]:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _describe(status: int) -> Tuple[str, str]:
    """Returns sentence and code for a refusal that has none."""
    if status == 401:
        return "No longer paired. Enter a new pairing code.", "NOT_PAIRED"
    if status < 500:
        return f"The relay refused this ({status}).", "REFUSED"
    return f"The relay has a problem ({status}). Try again later.", "RELAY_TROUBLE"
