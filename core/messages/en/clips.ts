/** The clip list and the frame around it, which all pages share. */
export const CLIPS = {
  "clips.count": { one: "{count} sound", other: "{count} sounds" },
  "clips.play": "Play {name}",
  "clips.stop": "Stop {name}",
  "clips.cannot-play": "Can’t play",
  "clips.unnamed": "Sound {number}",
  "clips.none": "No sounds",

  "clips.name": "Name",
  "clips.kind": "Kind",
  "clips.role": "Role",
  "clips.bpm": "BPM",
  "clips.beats": "Beats",
  "clips.color": "Colour",
  "clips.waveform": "Waveform",
  "clips.mixer": "Mute and solo",
  "clips.playing": "Play",
  "clips.state": "Status",

  "clips.loop": "Loop",
  "clips.one-shot": "One-shot",
  "clips.undecided": "Loop or one-shot?",
  "clips.undecided-short": "Loop?",

  "clips.at-tempo": "{bpm} BPM",
  "clips.of-beats": { one: "{count} beat", other: "{count} beats" },

  "clips.tick": "Choose {name}",
  "clips.tick-all": "Choose all",
  "clips.mute": "Mute {name}",
  "clips.solo": "Solo {name}",

  "clips.mixed": "Mixed",
  "clips.selected": { one: "{count} sound selected", other: "{count} sounds selected" },

  "clips.back": "Back",
  "clips.close": "Close",
} as const;
