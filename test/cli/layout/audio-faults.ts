import { rename } from "node:fs/promises";
import { BASS, digestOf, type Fault, KICK, scaled, SNARE, tone, wavOf } from "./planted-faults.ts";

const [kick = []] = KICK.channels;
const [left = [], right = []] = SNARE.channels;

/** The audio differs, and the manifest agrees with the file. */
export const AUDIO_FAULTS: readonly Fault[] = [
  [
    "audio zeroed at the same size",
    "Kick Deep: the audio changed (same length, silent now).",
    (p) => p.put("kick.wav", wavOf({ ...KICK, channels: [scaled(kick, 0)] })),
  ],
  [
    "one sample changed",
    "Kick Deep: the audio changed (same length).",
    (p) => p.change("kick.wav", (bytes) => bytes.fill((bytes[5000] ?? 0) ^ 1, 5000, 5001)),
  ],
  [
    "resampled",
    "Kick Deep: the audio changed (same length, 44100 → 48000 Hz).",
    (p) =>
      p.put(
        "kick.wav",
        wavOf({
          ...KICK,
          format: { ...KICK.format, sampleRateHz: 48_000 },
          channels: [tone(48_000, 0.01)],
        }),
      ),
  ],
  [
    "24 to 16 bit",
    "Kick Deep: the audio changed (same length, 24 → 16 bit).",
    (p) => p.put("kick.wav", wavOf({ ...KICK, format: { ...KICK.format, bitsPerSample: 16 } })),
  ],
  [
    "24 bit to float",
    "Kick Deep: the audio changed (same length, 24 bit → 32-bit float).",
    (p) =>
      p.put(
        "kick.wav",
        wavOf({ ...KICK, format: { ...KICK.format, encoding: "float", bitsPerSample: 32 } }),
      ),
  ],
  [
    "stereo to mono",
    "Snare Fat: the audio changed (same length, stereo → mono).",
    (p) =>
      p.put(
        "snare.wav",
        wavOf({ ...SNARE, format: { ...SNARE.format, channels: 1 }, channels: [left] }),
      ),
  ],
  [
    "channels swapped",
    "Snare Fat: the audio changed (same length).",
    (p) => p.put("snare.wav", wavOf({ ...SNARE, channels: [right, left] })),
  ],
  [
    "gain changed",
    "Snare Fat: the audio changed (same length).",
    (p) => p.put("snare.wav", wavOf({ ...SNARE, channels: [scaled(left, 0.9), right] })),
  ],
  [
    "polarity inverted",
    "Acid Bass: the audio changed (same length).",
    (p) =>
      p.put("bass.wav", wavOf({ ...BASS, channels: BASS.channels.map((one) => scaled(one, -1)) })),
  ],
  [
    "cut shorter",
    "Kick Deep: the audio changed (0.5 s shorter).",
    (p) => p.put("kick.wav", wavOf({ ...KICK, channels: [kick.slice(0, 22_050)] })),
  ],
  [
    "longer",
    "Kick Deep: the audio changed (0.5 s longer).",
    (p) =>
      p.put("kick.wav", wavOf({ ...KICK, channels: [kick.concat(scaled(kick, 0).slice(22_050))] })),
  ],
  [
    "one frame longer",
    "Kick Deep: the audio changed (1 frame longer).",
    (p) => p.put("kick.wav", wavOf({ ...KICK, channels: [kick.concat(0)] })),
  ],
  [
    "only the header's sample rate",
    "Kick Deep: the header changed around the same audio (0.5 s shorter, 44100 → 88200 Hz).",
    (p) =>
      p.change("kick.wav", (bytes) => {
        bytes.writeUInt32LE(88_200, 24);
        return bytes;
      }),
  ],
  [
    "files swapped on disk",
    [
      "Kick Deep: the audio was swapped with that of Snare Fat.\n",
      "Snare Fat: the audio was swapped with that of Kick Deep.\n",
    ],
    async (p) => {
      const [one, other] = [await p.read("kick.wav"), await p.read("snare.wav")];
      await p.put("kick.wav", other);
      await p.put("snare.wav", one);
    },
  ],
  [
    "files swapped in the manifest",
    [
      "Kick Deep: the audio was swapped with that of Snare Fat.\n",
      "Snare Fat: the audio was swapped with that of Kick Deep.\n",
    ],
    async (p) => {
      const [one, other] = [await p.read("kick.wav"), await p.read("snare.wav")];
      await p.editSound("Kick Deep", { file: "snare.wav", ...digestOf(other) });
      await p.editSound("Snare Fat", { file: "kick.wav", ...digestOf(one) });
    },
  ],
  [
    "the file of another sound",
    "Snare Fat: the audio is the one that Kick Deep had.",
    async (p) => p.put("snare.wav", await p.read("kick.wav")),
  ],
  [
    "file renamed",
    "Kick Deep: kick.wav was renamed to deep.wav, with the same audio.",
    async (p) => {
      await rename(p.pathOf("kick.wav"), p.pathOf("deep.wav"));
      await p.editSound("Kick Deep", { file: "deep.wav" });
    },
  ],
  [
    "another file with other audio",
    [
      "Kick Deep: the file is deep.wav instead of kick.wav.",
      "Kick Deep: the audio changed (0.5 s shorter).",
    ],
    async (p) => {
      const bytes = wavOf({ ...KICK, channels: [kick.slice(22_050)] });
      await p.putOnly("deep.wav", bytes);
      await p.editSound("Kick Deep", { file: "deep.wav", ...digestOf(bytes) });
    },
  ],
];
