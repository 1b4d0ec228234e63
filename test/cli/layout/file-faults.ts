import { rm, writeFile } from "node:fs/promises";
import { type Fault, KICK, POINTER, scaled, wavOf } from "./planted-faults.ts";

const [kick = []] = KICK.channels;

/** Files that are accepted only with `--allow-missing`. */
export const FILE_FAULTS: readonly Fault[] = [
  [
    "missing file",
    "Kick Deep: kick.wav is not in the package's folder.",
    (p) => rm(p.pathOf("kick.wav")),
  ],
  [
    "audio cut off behind its header",
    "Kick Deep: kick.wav: the file is incomplete. Export it again.",
    (p) => p.change("kick.wav", (bytes) => bytes.subarray(0, 60_000)),
  ],
  [
    "no WAV",
    "Kick Deep: kick.wav: not a WAV file. Export it as WAV.",
    (p) => p.put("kick.wav", Buffer.alloc(1000, "letter ")),
  ],
  [
    "empty file",
    'Sound 1 "Kick Deep": bytes must be 1 to 209715200.',
    (p) => p.put("kick.wav", Buffer.alloc(0)),
  ],
];

/** Faults that nobody can accept. */
export const LASTING_FAULTS: readonly Fault[] = [
  [
    "Git LFS pointer",
    "Kick Deep: kick.wav is a Git LFS pointer: run git lfs pull.",
    (p) => p.putOnly("kick.wav", POINTER),
  ],
  [
    "Git LFS pointer that the manifest agrees with",
    "Kick Deep: kick.wav is a Git LFS pointer: run git lfs pull.",
    (p) => p.put("kick.wav", POINTER),
  ],
  [
    "iCloud placeholder",
    "Kick Deep: kick.wav is still in iCloud: download it",
    async (p) => {
      await rm(p.pathOf("kick.wav"));
      await writeFile(p.pathOf(".kick.wav.icloud"), "bplist00");
    },
  ],
  [
    "wrong bytes in the manifest",
    "Kick Deep: manifest.json says 12 bytes, but kick.wav has 132376.",
    (p) => p.editSound("Kick Deep", { bytes: 12 }),
  ],
  [
    "wrong SHA-256 in the manifest",
    "Kick Deep: the SHA-256 in manifest.json doesn't match kick.wav.",
    (p) => p.editSound("Kick Deep", { sha256: "0".repeat(64) }),
  ],
  [
    "both wrong, of another sound that was put in its place",
    [
      "Kick Deep: manifest.json says 132376 bytes, but kick.wav has 88244.",
      "Kick Deep: the SHA-256 in manifest.json doesn't match kick.wav.",
      "Kick Deep: the audio is the one that Snare Fat had.",
    ],
    async (p) => p.putOnly("kick.wav", await p.read("snare.wav")),
  ],
  [
    "audio zeroed behind the manifest's back",
    [
      "Kick Deep: the SHA-256 in manifest.json doesn't match kick.wav.",
      "Kick Deep: the audio changed (same length, silent now).",
    ],
    (p) => p.putOnly("kick.wav", wavOf({ ...KICK, channels: [scaled(kick, 0)] })),
  ],
];
