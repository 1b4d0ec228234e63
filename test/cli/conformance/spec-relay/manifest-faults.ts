import { ANNOUNCE, forgets, refuses, refusesSound, soundsOf, type SpecFault } from "./fault.ts";
import { isObject } from "./judge.ts";

type Fields = Record<string, unknown>;
const refusesManifest = (name: string, says: string, isRefused: (manifest: Fields) => boolean) =>
  refuses(name, says, ANNOUNCE, (_, body) => isObject(body) && isRefused(body));
const part = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  return isObject(value) ? value : {};
};
const length = (value: unknown) => (typeof value === "string" ? value.length : 0);

const FORGOTTEN: readonly SpecFault[] = [
  forgets("newer schema", "9 A package that names a newer format is refused"),
  forgets("schema", "2.3 schema: exactly app2host/1"),
  forgets("schema missing", "2.3 schema: required"),
  forgets("no sounds", "2.3 items: 1 to 32 entries"),
  forgets("too many sounds", "2.3 items: 1 to 32 entries"),
  forgets("file twice", "2.5 two sounds that use the same file"),
  forgets("total", "2.3 items: together at most 200 MB"),
  forgets("file missing", "2.4 file: required"),
  forgets("file start", "2.4 file: first character a letter or digit"),
  forgets("file signs", "2.4 file: then letters, digits, space, . _ -"),
  forgets("file dots", "2.4 file: must not contain .."),
  forgets("file wav", "2.4 file: ends in .wav"),
  forgets("file length", "2.4 file: at most 100 characters"),
  forgets("bytes missing", "2.5 The server requires bytes for every sound"),
  forgets("bytes whole", "2.4 bytes: integer"),
  forgets("bytes zero", "2.4 bytes: 1 to 209715200"),
  forgets("sha256 missing", "2.5 The server requires sha256 for every sound"),
  forgets("sha256", "2.4 sha256: 64 hex characters"),
];

const STRICT_FILES: readonly SpecFault[] = [
  refusesManifest("31 sounds at most", "2.3 items: 1 to 32", (all) => soundsOf(all).length > 31),
  refusesManifest(
    "less than 200 MB",
    "2.3 items: together at most 209715200 bytes",
    (all) => soundsOf(all).reduce((sum, { bytes }) => sum + Number(bytes), 0) >= 209_715_200,
  ),
  refusesSound("99 characters", "2.4 file: at most 100", ({ file }) => length(file) > 99),
  refusesSound(
    "only .wav",
    "2.4 .wav (any letter case)",
    ({ file }) => !String(file).endsWith(".wav"),
  ),
  refusesSound("no space in a file", "2.4 file: space", ({ file }) => String(file).includes(" ")),
  refusesSound("no digit first", "2.4 file: a letter or digit", ({ file }) =>
    /^\d/.test(String(file)),
  ),
  refusesSound("no capital first", "2.4 file: a letter", ({ file }) => /^[A-Z]/.test(String(file))),
  refusesSound("lower-case sums", "2.4 sha256: either case", ({ sha256 }) =>
    /[A-F]/.test(String(sha256)),
  ),
];

const STRICT_VALUES: readonly SpecFault[] = [
  refusesManifest(
    "a title of 60 at most",
    "2.3 title: the server cuts longer ones",
    (all) => length(all["title"]) > 60,
  ),
  refusesManifest("a title of 59", "2.3 title: at most 60", (all) => length(all["title"]) === 60),
  refusesManifest("a title is needed", "2.3 title: not required", (all) => !("title" in all)),
  refusesManifest("an app is needed", "2.3 source: not required", (all) => !("source" in all)),
  refusesManifest("a tempo is needed", "2.3 tempo: not required", (all) => !("tempo" in all)),
  refusesManifest(
    "no id of the app's own",
    "2.3 package_id: the server replaces it",
    (all) => "package_id" in all,
  ),
  refusesManifest("no midi", "2.3 midi: ignored now, with a warning", (all) => "midi" in all),
  refusesManifest("no created_at", "2.3 created_at: only logged", (all) => "created_at" in all),
  refusesManifest(
    "tempo above 20",
    "2.3 tempo.bpm: 20 to 999",
    (all) => part(all, "tempo")["bpm"] === 20,
  ),
  refusesManifest(
    "tempo below 999",
    "2.3 tempo.bpm: 20 to 999",
    (all) => part(all, "tempo")["bpm"] === 999,
  ),
  refusesManifest(
    "no time signature",
    "2.3 tempo.time_signature: read, not used yet",
    (all) => "time_signature" in part(all, "tempo"),
  ),
  refusesManifest(
    "no platform",
    "2.3 source.platform: only logged",
    (all) => "platform" in part(all, "source"),
  ),
  refusesManifest(
    "app of 39",
    "2.3 source.app: at most 40",
    (all) => length(part(all, "source")["app"]) === 40,
  ),
  refusesSound("a name of 40 at most", "2.5 cuts them at 40", ({ name }) => length(name) > 40),
  refusesSound("a name of 39", "2.4 name: at most 40", ({ name }) => length(name) === 40),
  refusesSound("clean names only", "2.4 any other character becomes a space", ({ name }) =>
    /[/\\:*?"<>|]/.test(String(name)),
  ),
  refusesSound("a name is needed", "2.4 name: not required", ({ name }) => name === undefined),
  refusesSound("names in ASCII", "2.4 letters of any language", ({ name }) =>
    /[^ -~]/.test(String(name)),
  ),
  refusesSound(
    "a kind is needed",
    "2.4 When missing, a one-shot",
    ({ kind }) => kind === undefined,
  ),
  refusesSound(
    "known kinds only",
    "2.5 unknown kinds: it only warns",
    ({ kind }) => !["loop", "oneshot", undefined].includes(kind as string),
  ),
  refusesSound(
    "known roles only",
    "2.5 unknown roles: it only warns",
    ({ role }) =>
      !["drums", "bass", "melodic", "vocal", "texture", "fx", undefined].includes(role as string),
  ),
  refusesSound("no fx", "2.4 role: fx", ({ role }) => role === "fx"),
  refusesSound(
    "no bpm on a one-shot",
    "2.5 a bpm on a one-shot goes through",
    ({ kind, bpm }) => kind !== "loop" && bpm !== undefined,
  ),
  refusesSound("bpm above 20", "2.4 bpm: 20 to 999", ({ bpm }) => bpm === 20),
  refusesSound("bpm below 999", "2.4 bpm: 20 to 999", ({ bpm }) => bpm === 999),
  refusesSound("whole bpm", "2.4 bpm: number", ({ bpm }) => !Number.isInteger(bpm ?? 1)),
  refusesSound("below 4096 beats", "2.4 at most 4096", ({ length_beats }) => length_beats === 4096),
  refusesSound(
    "one beat at least",
    "2.4 greater than 0",
    ({ length_beats }) => Number(length_beats) < 1,
  ),
  refusesSound("names of warp modes", "2.4 or an integer", ({ warp_mode }) =>
    Number.isInteger(warp_mode),
  ),
  refusesSound("no complex_pro", "2.4 complex_pro", ({ warp_mode }) => warp_mode === "complex_pro"),
  refusesSound(
    "colors with #",
    "2.4 the # is optional",
    ({ color }) => typeof color === "string" && !color.startsWith("#"),
  ),
  refusesSound("gain above -70", "2.4 -70 to +24", ({ gain_db }) => gain_db === -70),
  refusesSound("gain below 24", "2.4 -70 to +24", ({ gain_db }) => gain_db === 24),
  refusesSound(
    "no gain beyond",
    "2.4 kept between -70 and +24",
    ({ gain_db }) => Math.abs(Number(gain_db ?? 0) + 23) > 47,
  ),
  refusesSound("id of 99", "2.4 id: 1 to 100 characters", ({ id }) => length(id) === 100),
  refusesSound("no id", "2.4 id: the app's own", ({ id }) => id !== undefined),
];

/** Faults in what is refused of a manifest, too little and too much. */
export const MANIFEST_FAULTS: readonly SpecFault[] = [
  ...FORGOTTEN,
  ...STRICT_FILES,
  ...STRICT_VALUES,
];
