"""A server that knows the exchanges of one vector and nothing else."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Sequence

Exchange = Dict[str, Any]


class Replay:
    """Answers as a vector says, and records what the client does wrong."""

    def __init__(self, exchanges: Sequence[Exchange]) -> None:
        self._exchanges = exchanges
        self._once: List[Exchange] = []
        self._used: List[int] = []
        self._unknown: List[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Replay:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The server's address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer_once(self, instead: Exchange) -> None:
        """Gives the next request with this method and path this ``answer``."""
        self._once.append(instead)

    @property
    def has_answers_left(self) -> bool:
        """True while an answer of ``answer_once`` was not given."""
        return self._once != []

    def problems(self) -> List[str]:
        """Returns requests that no exchange has, and exchanges that are missing."""
        found = list(self._unknown)
        groups: Dict[str, bool] = {}
        for index, exchange in enumerate(self._exchanges):
            need, request = exchange["need"], exchange["request"]
            is_used = index in self._used
            if need == "must" and not is_used:
                found.append(f"missing: {request['method']} {request['path']}")
            if isinstance(need, dict):
                groups[need["oneOf"]] = groups.get(need["oneOf"], False) or is_used
        return found + [f"missing: one of {name}" for name, is_used in groups.items() if not is_used]

    def used(self, method: str) -> List[Exchange]:
        """Returns the exchanges of this method that the client made."""
        made = [self._exchanges[index] for index in self._used]
        return [each for each in made if each["request"]["method"] == method]

    def _handler(self) -> type:
        replay = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # One packet has headers and body.

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                for once in replay._once:
                    if (once["method"], once["path"]) == (self.command, self.path):
                        replay._once.remove(once)
                        give_as_vector(self, once["answer"])
                        return
                for index, exchange in enumerate(replay._exchanges):
                    if _is_of(exchange["request"], self, body):
                        replay._used.append(index)
                        give_as_vector(self, exchange["answer"])
                        return
                replay._unknown.append(f"unexpected: {self.command} {self.path}")
                refusal = {"error": "This is not in the vector.", "code": "NOT_IN_VECTOR"}
                give_as_vector(self, {"status": 400, "headers": {}, "body": refusal})

            do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def give_as_vector(handler: BaseHTTPRequestHandler, answer: Dict[str, Any]) -> None:
    """Sends an answer of a vector: a text as it is, anything else as JSON."""
    body = answer.get("body", "")
    text = (body if isinstance(body, str) else json.dumps(body)).encode()
    handler.send_response(answer["status"])
    for name, value in answer["headers"].items():
        handler.send_header(name, value)
    if answer["status"] != 204:
        handler.send_header("Content-Length", str(len(text)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(text)


def _is_of(request: Dict[str, Any], seen: BaseHTTPRequestHandler, body: bytes) -> bool:
    if request["method"] != seen.command or request["path"] != seen.path:
        return False
    if any(seen.headers.get(name) != value for name, value in request["headers"].items()):
        return False
    wanted = request.get("body")
    if wanted is None:
        return body == b""
    if "sha256" in wanted:
        return bool(hashlib.sha256(body).hexdigest() == wanted["sha256"])
    return bool(json.loads(body) == wanted["json"])
