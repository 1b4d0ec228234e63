"""The object that Live talks to. It serves requests in Live's own ticks, never in a thread."""
import time

import Live

from .marks import edition, look
from .meeting import write_meeting_files
from .placing import Placing
from .probe import probe
from .server import Refusal, Server

BUDGET_S = 0.04
TIMER_MS = 30


class Surface(object):
    def __init__(self, c_instance):
        self._c_instance = c_instance
        self._ticks, self._is_busy = 0, False
        self._placing, self._finished, self._waiting, self._told = None, {}, {}, 0
        self._server = Server(self._answer, edition)
        self._remove_files = write_meeting_files(self._server.port, self._server.secret)
        self._timer = Live.Base.Timer(self._serve, TIMER_MS, True)

    def update_display(self):
        self._ticks += 1
        self._serve()

    def disconnect(self):
        leave = self._placing.leave if self._placing else None
        for close in (self._timer.stop, leave, self._remove_files, self._server.close):
            self._safely(close)

    def _serve(self):
        if not self._is_busy:
            self._is_busy = True
            self._safely(self._work)
            self._is_busy = False

    def _work(self):
        self._server.read()
        if self._placing is not None:
            self._go_on(self._placing)
        self._server.write()
        # Between Live's ticks only while there is something to do.
        is_wanted = self._placing is not None or self._server.has_clients()
        (self._timer.start if is_wanted else self._timer.stop)()

    def _go_on(self, placing):
        if placing.advance(self._ticks, time.perf_counter() + BUDGET_S):
            self._placing = None
            if "ok" in placing.answer:
                self._finished[placing.run] = placing
            for connection, number in self._waiting.pop(placing.run):
                connection.send(dict(placing.answer, id=number))
        elif placing.placed > self._told:
            for connection, number in self._waiting[placing.run]:
                connection.send({"id": number, "progress": placing.progress()})
        self._told = placing.placed

    def _answer(self, connection, request):
        """Returns an answer without its id, or None where it comes later."""
        song, run, call = self._c_instance.song(), request.get("run"), request.get("call")
        placing, finished = self._placing, self._finished.get(run)
        if call == "look":
            seen = look(song)
            seen["running"] = placing and placing.run
            return {"ok": dict(seen, outcome=finished and finished.answer["ok"])}
        if call == "cancel" and placing and placing.run == run:
            placing.cancel()
            return {"ok": {}}
        if call == "place" and finished:
            return finished.answer
        if placing and (call != "place" or placing.run != run):
            raise Refusal("busy", "Another import is running.")
        if call == "probe":
            return {"ok": {"results": probe(song, request["steps"], connection.folders, self._ticks)}}
        if call == "cancel" and finished:
            finished.cancel()
        elif call != "place":
            raise Refusal("request", "There is nothing to do.")
        self._placing = placing or finished or Placing(self._c_instance.song, request, connection.folders)
        self._waiting.setdefault(run, []).append((connection, request["id"]))
        return None

    def _safely(self, call):
        """Live stops a timer whose callback fails, so nothing may escape."""
        try:
            return call and call()
        except Exception as error:
            self._c_instance.log_message("Soundferry: %s: %s" % (type(error).__name__, error))

    def _nothing(self, *_arguments):
        """Live calls these on every control surface; this one has no controls."""

    build_midi_map = refresh_state = connect_script_instances = port_settings_changed = _nothing
    receive_midi = can_lock_to_devices = supports_pad_translation = _nothing

    def suggest_input_port(self):
        return ""

    suggest_output_port = suggest_input_port
