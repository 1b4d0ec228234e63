"""Carries out the steps of `soundferry live check`, and times each."""
import time

import Live

from .sound import inside

NAMES = """song view tracks scenes clip_slots create_scene create_audio_track create_audio_clip delete_track
    delete_scene name color_index warping warp_mode looping loop_start loop_end start_marker end_marker
    warp_markers add_warp_marker remove_warp_marker move_warp_marker gain gain_display_string pitch_coarse pitch_fine
    file_path sample_length sample_rate clip has_clip mixer_device volume value arm can_be_armed display_name
    available_input_routing_types input_routing_type tempo tempo_enabled selected_scene get_data set_data
    begin_undo_step end_undo_step can_undo undo is_playing sample_time beat_time""".split()


def probe(song, steps, folders, tick):
    """Each step is [path, verb, arguments], such as [["tracks", 3, "name"], "get", []]."""
    results = []
    for path, verb, arguments in steps:
        begun = time.perf_counter()
        try:
            result = {"value": run(song, path, verb, arguments, folders)}
        except Exception as error:
            result = {"error": "%s: %s" % (type(error).__name__, error)}
        results.append(dict(result, ms=1000 * (time.perf_counter() - begun), tick=tick))
    return results


def run(song, path, verb, arguments, folders):
    owner, last = song, path[-1]
    for name in path[:-1]:
        owner = owner[name] if isinstance(name, int) else getattr(owner, NAMES[NAMES.index(name)])
    if verb == "set":
        return setattr(owner, NAMES[NAMES.index(last)], arguments[0])
    value = owner[last] if isinstance(last, int) else getattr(owner, NAMES[NAMES.index(last)])
    if last == "create_audio_clip":
        arguments = [inside(arguments[0], folders)]
    if last == "add_warp_marker":
        arguments = [Live.Clip.WarpMarker(*arguments)]
    value = value(*arguments) if verb == "call" else value
    return value if isinstance(value, (bool, int, float, str, type(None))) else type(value).__name__
