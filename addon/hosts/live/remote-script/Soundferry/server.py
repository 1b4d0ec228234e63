"""A server of signed lines of JSON on 127.0.0.1, which never blocks."""
import hashlib
import hmac
import json
import os
import socket
import time

from .version import PROTOCOL, VERSION

LINE_BYTES, LOGIN_LINE_BYTES, READ_BYTES_A_TICK, UNSENT_BYTES = 2 ** 20, 2 ** 16, 2 ** 18, 2 ** 22
LOGIN_SECONDS, TALKING_SECONDS, WAITING_FOR_LOGIN, ACCEPTED_A_TICK = 5, 1, 16, 64


class Refusal(Exception):
    """The refusal of a request; `more` are further members of the error."""

    def __init__(self, code, message="", **more):
        Exception.__init__(self, message)
        self.error = dict(more, code=code, message=message)


class Server(object):
    def __init__(self, answer, describe):
        self._answer, self._describe, self._connections = answer, describe, []
        self._listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(64)
        self._listener.setblocking(False)
        self.port, self.secret = self._listener.getsockname()[1], os.urandom(32).hex()

    def read(self):
        """Answers the lines that have arrived, then accepts new connections."""
        for connection in self._connections:
            for line in connection.lines():
                try:
                    self._take(connection, line)
                except Exception as error:
                    # Any other error comes from an invalid login.
                    connection.refuse(getattr(error, "error", {"code": "login"})["code"])
        self._connections = [each for each in self._connections if each.sock is not None]
        for _ in range(ACCEPTED_A_TICK):
            try:
                sock, _address = self._listener.accept()
            except OSError:
                return
            waiting = [each for each in self._connections if not each.is_in]
            if len(waiting) >= WAITING_FOR_LOGIN:
                waiting[0].close()
                self._connections.remove(waiting[0])
            self._connections.append(Connection(sock, self.secret))

    def write(self):
        for connection in self._connections:
            connection.flush()

    def close(self):
        self._listener.close()
        for connection in self._connections:
            connection.flush()
            connection.close()

    def is_talking(self):
        return any(each.is_in and time.time() - each.heard < TALKING_SECONDS for each in self._connections)

    def _take(self, connection, line):
        message = connection.open(line)
        if not connection.is_in:
            connection.log_in(message)
            connection.send({"welcome": dict(self._describe(), version=VERSION)})
            return
        try:
            answer = self._answer(connection, message)
        except Exception as error:
            answer = {"error": getattr(error, "error", {"code": "request", "message": repr(error)})}
        if answer is not None:
            connection.send(dict(answer, id=message.get("id")))


class Connection(object):
    def __init__(self, sock, secret):
        sock.setblocking(False)
        self.sock, self.is_in, self.folders = sock, False, []
        self._secret, self._nonce, self.heard = secret, os.urandom(16).hex(), time.time()
        self._in, self._out, self._received, self._sent = bytearray(), bytearray(), 0, 0
        self._client_key, self._server_key = self._key("client " + self._nonce), b""
        hello = {"hello": "soundferry-control-surface", "protocol": PROTOCOL, "version": VERSION}
        self._put(dict(hello, nonce=self._nonce))

    def lines(self):
        """Yields the whole lines that have arrived."""
        try:
            data = self.sock.recv(READ_BYTES_A_TICK)
            self._in += data
            is_over = not data
        except OSError as error:
            is_late = not self.is_in and time.time() - self.heard > LOGIN_SECONDS
            is_over = is_late or not isinstance(error, BlockingIOError)
        if is_over:
            self.close()
        while self.sock is not None and b"\n" in self._in:
            line, _, self._in = self._in.partition(b"\n")
            yield bytes(line)
        if len(self._in) > (LINE_BYTES if self.is_in else LOGIN_LINE_BYTES):
            self.refuse("too long")

    def open(self, line):
        """Checks a line's signature and returns its JSON object."""
        signature, _, text = line.partition(b" ")
        if not hmac.compare_digest(signature, sign(self._client_key, self._received, text)):
            raise Refusal("signature")
        self._received, self.heard = self._received + 1, time.time()
        try:
            return dict(json.loads(text.decode("utf-8")))
        except (ValueError, TypeError, RecursionError):
            raise Refusal("not JSON")

    def log_in(self, message):
        login = message["login"]
        if login["protocol"] != PROTOCOL:
            raise Refusal("protocol")
        self.folders = [str(folder) for folder in login["folders"]]
        self._server_key, self.is_in = self._key("server %s %s" % (self._nonce, login["nonce"])), True

    def send(self, message):
        self._put(message, lambda text: sign(self._server_key, self._sent, text) + b" " + text)
        self._sent += 1

    def refuse(self, code):
        self._put({"refused": code})
        self.flush()
        self.close()

    def flush(self):
        try:
            while self._out and self.sock is not None:
                del self._out[: self.sock.send(self._out)]
        except OSError as error:
            if not isinstance(error, BlockingIOError) or len(self._out) > UNSENT_BYTES:
                self.close()

    def close(self):
        if self.sock is not None:
            self.sock.close()
        self.sock = None

    def _put(self, message, seal=bytes):
        self._out += seal(json.dumps(message).encode("utf-8")) + b"\n"

    def _key(self, text):
        return hmac.new(self._secret.encode("ascii"), text.encode("utf-8"), hashlib.sha256).digest()


def sign(key, number, text):
    return hmac.new(key, b"%d " % number + text, hashlib.sha256).hexdigest().encode("ascii")
