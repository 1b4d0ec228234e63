import { digestOf, type Fault, KICK, tone, wavOf } from "./planted-faults.ts";

/** The manifest differs. */
export const MANIFEST_FAULTS: readonly Fault[] = [
  [
    "name changed",
    "Boom  Clip name   “Kick Deep” → “Boom”",
    (p) => p.editSound("Kick Deep", { name: "Boom" }),
  ],
  [
    "title changed",
    "Scene name  “Neon Kit (App)” → “Other (App)”",
    (p) => p.edit((manifest) => ({ ...manifest, title: "Other" })),
  ],
  [
    "role of a one-shot changed",
    "Snare Fat  Role  Drums → FX",
    (p) => p.editSound("Snare Fat", { role: "fx" }),
  ],
  [
    "role of a loop changed",
    ["Acid Bass  Warp mode  Tones → Complex Pro", "Acid Bass  Role       Bass → Vocal"],
    (p) => p.editSound("Acid Bass", { role: "vocal" }),
  ],
  [
    "tempo of the package changed",
    ["–             Tempo  120 BPM → 126 BPM", "Acid Bass  Tempo  120 BPM → 126 BPM"],
    (p) => p.edit((manifest) => ({ ...manifest, tempo: { bpm: 126 } })),
  ],
  [
    "time signature changed",
    "Time signature  none → 3/4",
    (p) => p.edit((manifest) => ({ ...manifest, tempo: { bpm: 120, time_signature: [3, 4] } })),
  ],
  [
    "length of a loop changed",
    "Acid Bass  Loop length  2 beats → 4 beats",
    (p) => p.editSound("Acid Bass", { length_beats: 4 }),
  ],
  [
    "kind changed",
    "Snare Fat  Kind         one-shot → loop",
    (p) => p.editSound("Snare Fat", { kind: "loop" }),
  ],
  [
    "order changed",
    "Order  Kick Deep, Snare Fat → Snare Fat, Kick Deep",
    (p) =>
      p.edit((manifest) => {
        const [one = {}, other = {}, ...rest] = manifest.items;
        return { ...manifest, items: [other, one, ...rest] };
      }),
  ],
  [
    "color changed",
    "Kick Deep  Color  #AF3333 → #5480E4",
    (p) => p.editSound("Kick Deep", { color: "#3C6EFF" }),
  ],
  [
    "gain in the manifest changed",
    "Kick Deep  Gain  0 dB → −6 dB",
    (p) => p.editSound("Kick Deep", { gain_db: -6 }),
  ],
  [
    "a sound added in front",
    "Tick  Sound  missing → “Tick”",
    async (p) => {
      const bytes = wavOf({ ...KICK, channels: [tone(1000, 0.5)] });
      await p.putOnly("tick.wav", bytes);
      const tick = { file: "tick.wav", name: "Tick", kind: "oneshot", ...digestOf(bytes) };
      await p.edit((manifest) => ({ ...manifest, items: [tick, ...manifest.items] }));
    },
  ],
  [
    "the first sound removed",
    "Kick Deep  Sound  “Kick Deep” → missing",
    (p) => p.edit((manifest) => ({ ...manifest, items: manifest.items.slice(1) })),
  ],
];
