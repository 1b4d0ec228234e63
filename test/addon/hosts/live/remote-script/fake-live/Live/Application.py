"""The program."""

from live_model.members import LiveObject, forbidden, live_method, live_property
from live_model.world import world


class _Program:
    id, ptr = 0, 1


class Application(LiveObject):
    """Version, edition, settings."""

    def _item(self):
        return _Program

    @live_method()
    def get_major_version(self, program):
        """First number of the version."""
        return world.habits.numbers()[0]

    @live_method()
    def get_minor_version(self, program):
        """Second number."""
        return world.habits.numbers()[1]

    @live_method()
    def get_bugfix_version(self, program):
        """Third number."""
        return world.habits.numbers()[2]

    @live_method()
    def get_version_string(self, program):
        """All of it."""
        return world.habits.version

    @live_method()
    def get_build_id(self, program):
        """The build's number."""
        return "2026-01-01_0000000000"

    @live_method(since=(12, 0))
    def get_variant(self, program):
        """Beta, Intro, Lite, Standard, Suite or Trial."""
        return world.habits.variant

    @live_method()
    def get_document(self, program):
        """The Set."""
        from .Song import song

        return song()

    @live_property
    def control_surfaces(self, program):
        """The control surfaces in the order of the settings; None is an empty place."""
        from live_model.clock import clock

        return (clock.script, None, None)

    @live_property
    def current_dialog_message(self, program):
        """Text of the open dialog."""
        return ""

    @live_property
    def open_dialog_count(self, program):
        """The number of open dialogs."""
        return 0

    @live_property
    def view(self, program):
        """The view of Live's window."""
        return View(_Program)

    @live_method()
    def press_current_dialog_button(self, program, index):
        """Answer a dialog in the person's place."""
        forbidden("press_current_dialog_button", "PRESSES_A_DIALOG", "Application")


class View(LiveObject):
    """A view: all calls of it show or move something."""

    def __getattr__(self, name):
        def show(*given):
            forbidden(name, "SHOWS_SOMETHING", "Application.View")

        if name.startswith("_"):
            raise AttributeError(name)
        return show


def get_application():
    """The running Live."""
    return Application(_Program)
