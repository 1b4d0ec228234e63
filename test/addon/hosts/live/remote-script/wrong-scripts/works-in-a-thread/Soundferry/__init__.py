"""Calls Live from a thread of its own."""

import threading

from one_clip import Script, color, instead


def color_in_thread(song):
    """Live is not made for it."""
    thread = threading.Thread(target=color, args=(song,))
    thread.start()
    thread.join()


def create_instance(c_instance):
    """The function that Live calls."""
    return Script(c_instance, instead(color, color_in_thread))
