/** The panel: setting up Live’s control surface, and checking Live. */
export const PANEL_LIVE = {
  "panel.live-setup": "Set up Live",
  "panel.live-setup-title": "Set up Ableton Live",
  "panel.live-why":
    "The control surface is a small script inside Live. With it, every loop gets its exact tempo, start and gain, in every edition of Live 12.",
  "panel.live-ready": "{live} is ready for exact imports",
  "panel.live-answers": "{live} answers.",
  "panel.live-waiting": "Waiting for Live to answer…",
  "panel.live-silent": "Live doesn’t answer any more.",
  "panel.live-done": "Done",
  "panel.live-open": "To do",
  "panel.live-installing": "Installing…",
  "panel.live-install": "Install",
  "panel.live-update": "Update",
  "panel.live-install-again": "Install again",
  "panel.live-step-install": "Install the script",
  "panel.live-step-restart": "Restart Live",
  "panel.live-step-choose": "Choose Soundferry in Live",
  "panel.live-restart": "Quit Live and start it again. It finds new scripts only when it starts.",
  "panel.live-restart-other":
    "Live still runs another version of the script. Quit Live and start it again.",
  "panel.live-choose":
    "In Live, open Settings → Link, Tempo & MIDI. Choose Soundferry as a Control Surface, and leave its Input and Output at None.",
  "panel.live-missing": "Soundferry copies a small script into Live’s {library}.",
  "panel.live-old": "The script in Live’s {library} is from another version of Soundferry.",
  "panel.live-changed": "The script in Live’s {library} was changed by hand.",
  "panel.live-foreign":
    "Live’s {library} has another folder Remote Scripts/Soundferry. Move it away first.",
  "panel.live-current": "It is in Live’s {library}.",
  "panel.live-no-library":
    "Live’s User Library wasn’t found. Start Soundferry with SOUNDFERRY_LIVE_LIBRARY set to the folder that Live shows under Settings → Library.",
  "panel.live-unknown":
    "Inside Live, Soundferry can’t install it. In a terminal, run: soundferry live install",
  "panel.check": "Check this Live",
  "panel.check-what":
    "Soundferry tries in about two minutes what this Live does, and writes a report that you can send: it has no paths, names or addresses. Open a new, empty Set in Live first. All that the check makes is removed again.",
  "panel.check-start": "Start the check",
  "panel.check-again": "Check again",
  "panel.check-cancel": "Cancel the check",
  "panel.check-label": "Check of Live",
  "panel.check-waiting": "Waiting for Live…",
  "panel.check-progress": {
    one: "{done} of {count} question answered",
    other: "{done} of {count} questions answered",
  },
  "panel.check-done": {
    one: "{live} was checked: {answered} of {count} question answered.",
    other: "{live} was checked: {answered} of {count} questions answered.",
  },
  "panel.check-save": "Save the report",
  "panel.check-answer": "Answer",
  "panel.check-did": "Done",
  "panel.check-skip": "Skip",
} as const;
