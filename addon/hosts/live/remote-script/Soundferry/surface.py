"""The object that Live talks to. It serves requests in Live's own ticks, never in a thread."""
import time
from contextlib import suppress

import Live

from .live_set import look
from .meeting import Meeting
from .placing import Placing
from .probe import probe
from .server import Refusal, Server

BUDGET_S, TIMER_MS, TICKS_A_SECOND = 0.045, 30, 10


def edition():
    live = Live.Application.get_application()
    parts = (live.get_major_version(), live.get_minor_version(), live.get_bugfix_version())
    can = {"create_audio_clip": hasattr(Live.ClipSlot.ClipSlot, "create_audio_clip")}
    # Live 11 tells no edition.
    return {"live": "%d.%d.%d" % parts, "edition": getattr(live, "get_variant", lambda: None)(), "can": can}


class Surface(object):
    def __init__(self, c_instance):
        self._c_instance, self._ticks, self._is_busy, self._placing, self._finished = c_instance, 0, False, None, {}
        self._server = Server(self._answer, edition)
        self._meeting, self._trouble = Meeting(self._server.port, self._server.secret), ""
        self._safely(lambda: self._meet(True))
        self._timer = Live.Base.Timer(self._serve, TIMER_MS, True)

    def update_display(self):
        self._ticks += 1
        for placing in self._finished.values():
            placing.notice(self._ticks)
        if self._ticks % TICKS_A_SECOND == 0:
            self._safely(self._meet)
        self._serve()

    def disconnect(self):
        end_step = lambda: self._placing and self._c_instance.song().end_undo_step()
        for close in (self._timer.stop, end_step, self._meeting.remove, self._server.close):
            self._safely(close)

    def _meet(self, replaces=False):
        before, self._trouble = self._trouble, self._meeting.write(replaces)
        if self._trouble not in ("", before):
            self._c_instance.log_message(self._trouble)

    def _serve(self):
        if not self._is_busy:
            self._is_busy = True
            self._safely(self._work)
            self._is_busy = False

    def _work(self):
        self._server.read()
        deadline = time.perf_counter() + BUDGET_S
        self._go_on(self._placing, deadline) if self._placing else self._look_late(deadline)
        self._server.write()
        # The timer runs between Live's ticks only while there is work.
        is_wanted = self._placing.wakes_at <= self._ticks if self._placing else self._server.is_talking()
        (self._timer.start if is_wanted else self._timer.stop)()

    def _look_late(self, deadline):
        for placing in self._finished.values():
            if placing.waiting and placing.look_late(self._ticks, deadline):
                placing.tell(dict(placing.answer, more=bool(placing.dues)), True)

    def _go_on(self, placing, deadline):
        before, is_over = placing.placed, placing.advance(self._ticks, deadline)
        news = placing.answer if is_over else {"progress": {"placed": placing.placed, "total": placing.total}}
        self._placing = None if is_over else placing
        if is_over and "ok" in news:
            self._finished[placing.run] = placing
        if is_over or placing.placed > before:
            placing.tell(news, is_over)

    def _answer(self, connection, request):
        """Returns an answer without its id, or None where it comes later."""
        song, run, call = self._c_instance.song(), request.get("run"), request.get("call")
        placing, finished = self._placing, self._finished.get(run)
        if call == "look":
            outcome = finished and finished.answer["ok"]
            return {"ok": dict(look(song), running=placing and placing.run, outcome=outcome)}
        if call == "place" and finished:
            return finished.answer
        if call == "watch":
            if not finished:
                raise Refusal("request", "This run isn't known.")
            return finished.waiting.append((connection, request["id"]))
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
        self._placing.waiting.append((connection, request["id"]))

    def _safely(self, call):
        """Calls a function and logs its error: Live stops a timer whose callback fails."""
        try:
            call()
        except Exception as error:
            with suppress(Exception):  # There is no other place to report it.
                self._c_instance.log_message("Soundferry: %s: %s" % (type(error).__name__, error))

    def _nothing(self, *_arguments):
        """Does nothing. Live calls these on every control surface; this one has no controls."""

    build_midi_map = refresh_state = connect_script_instances = port_settings_changed = _nothing
    receive_midi = handle_sysex = suggest_map_mode = lock_to_device = unlock_from_device = toggle_lock = _nothing
    set_appointed_device = restore_bank = _nothing
    suggest_input_port = suggest_output_port = lambda self: ""
    can_lock_to_devices = supports_pad_translation = is_extension = lambda self, *_arguments: False
