"""The object that Live talks to. It serves requests in Live's own ticks, never in a thread."""
import time
from contextlib import suppress

import Live

from .live_set import look
from .meeting import write_meeting_files
from .placing import Placing
from .probe import probe
from .server import Refusal, Server

BUDGET_S, TIMER_MS = 0.045, 30


def edition():
    live = Live.Application.get_application()
    parts = (live.get_major_version(), live.get_minor_version(), live.get_bugfix_version())
    return {"live": "%d.%d.%d" % parts, "edition": live.get_variant()}


class Surface(object):
    def __init__(self, c_instance):
        self._c_instance, self._ticks, self._is_busy = c_instance, 0, False
        self._placing, self._finished, self._waiting = None, {}, {}
        self._server = Server(self._answer, edition)
        self._remove_files = write_meeting_files(self._server.port, self._server.secret)
        self._timer = Live.Base.Timer(self._serve, TIMER_MS, True)

    def update_display(self):
        self._ticks += 1
        self._serve()

    def disconnect(self):
        end_step = lambda: self._placing and self._c_instance.song().end_undo_step()
        for close in (self._timer.stop, end_step, self._remove_files, self._server.close):
            self._safely(close)

    def _serve(self):
        if not self._is_busy:
            self._is_busy = True
            self._safely(self._work)
            self._is_busy = False

    def _work(self):
        self._server.read()
        if self._placing:
            self._go_on(self._placing)
        self._server.write()
        # The timer runs between Live's ticks only while there is work.
        is_wanted = self._placing.wakes_at <= self._ticks if self._placing else self._server.is_talking()
        (self._timer.start if is_wanted else self._timer.stop)()

    def _go_on(self, placing):
        is_over = placing.advance(self._ticks, time.perf_counter() + BUDGET_S)
        news = placing.answer if is_over else {"progress": {"placed": placing.placed, "total": placing.total}}
        self._placing = None if is_over else placing
        if is_over and "ok" in news:
            self._finished[placing.run] = placing
        for connection, number in self._waiting[placing.run] if is_over or placing.placed else []:
            connection.send(dict(news, id=number))

    def _answer(self, connection, request):
        """Returns an answer without its id, or None where it comes later."""
        song, run, call = self._c_instance.song(), request.get("run"), request.get("call")
        placing, finished = self._placing, self._finished.get(run)
        if call == "look":
            outcome = finished and finished.answer["ok"]
            return {"ok": dict(look(song), running=placing and placing.run, outcome=outcome)}
        if call == "place" and finished:
            return finished.answer
        if call == "cancel" and placing and placing.run == run:
            return placing.cancel() or {"ok": {}}
        if placing and (call != "place" or placing.run != run):
            raise Refusal("busy", "Another import is running.")
        if call == "probe":
            return {"ok": {"results": probe(song, request["steps"], self._ticks, connection.folders)}}
        if call == "cancel" and finished:
            self._finished.pop(run).cancel()
        elif call != "place":
            raise Refusal("request", "There is nothing to do.")
        if not placing:
            self._placing = finished or Placing(self._c_instance.song, request, connection.folders)
            self._waiting[run] = []
        self._waiting[run].append((connection, request["id"]))
        return None

    def _safely(self, call):
        """Calls a function and logs its error: Live stops a timer whose callback fails."""
        try:
            call()
        except Exception as error:
            with suppress(Exception):  # There is no other place to report it.
                self._c_instance.log_message("Soundferry: %s: %s" % (type(error).__name__, error))

    def _nothing(self, *_arguments):
        """Does nothing. Live calls these on every control surface; this one has no controls."""
        return ""

    build_midi_map = refresh_state = connect_script_instances = port_settings_changed = receive_midi = _nothing
    can_lock_to_devices = supports_pad_translation = suggest_input_port = suggest_output_port = _nothing
