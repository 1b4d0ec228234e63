/** The element `<soundferry-send>`, beside texts of the sending page. */
export const SEND = {
  "send.label": "Send sounds to Ableton Live",
  "send.drop": "or drop sounds here",
  "send.more": "Send more",
  "send.paused": "{trouble} Resuming automatically.",
  "send.interrupted": "{title} was interrupted.",
  "send.resume": "Resume",
  "send.discard": "Discard",
  "send.removeSound": "Remove {name}",
  "send.bpm": "BPM",
  "send.otherRelay": "This link is for {relay}. Here, sounds go to {own}.",
} as const;
