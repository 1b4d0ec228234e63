"""A fake of Live's Python API, written from published facts. It proves nothing about a real Live."""

from . import Application, Base, Clip, ClipSlot, DeviceParameter, MixerDevice, Scene, Song, Track
