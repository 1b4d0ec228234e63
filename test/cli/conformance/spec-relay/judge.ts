import { Refused } from "./wire.ts";

/** The numbers of sections 2 and 8 of the public specification. */
export const SPEC_LAWS = {
  callsPerMinute: 600,
  packagesPerHour: 30,
  triesPerMinute: 10,
  sounds: 32,
  fileBytes: 209_715_200,
  totalBytes: 209_715_200,
  fileSigns: 100,
  /** Names of rules that this relay forgot; only planted faults have any. */
  forgotten: new Set<string>() as ReadonlySet<string>,
  /** True if an optional value out of its range is an invalid sound (422), false if it is an unknown value (a warning). */
  rangesRefuse: true,
};
export type SpecLaws = typeof SPEC_LAWS;

/** Throws a 422 unless the rule holds, or was forgotten. */
type Must = (rule: string, holds: boolean, text: string) => void;

type Fields = Record<string, unknown>;
interface Announced {
  readonly bytes: number;
  readonly sha256: string;
}
interface Judged {
  readonly files: ReadonlyMap<string, Announced>;
  readonly warnings: string[];
}

const KNOWN = {
  manifest: "schema package_id created_at title source tempo items midi".split(" "),
  sound: "file bytes sha256 id name kind role bpm length_beats warp_mode color gain_db".split(" "),
  kinds: ["loop", "oneshot"],
  roles: ["drums", "bass", "melodic", "vocal", "texture", "fx"],
  warps: ["beats", "tones", "texture", "repitch", "complex", "complex_pro", 0, 1, 2, 3, 4, 6],
};
const NOT_IN_NAMES = /[^\p{L}\p{M}\d _\-().'&+#!]/u;

/** Judges a manifest by sections 2.3 to 2.5: throws a `Refused`, or gives its files and what it only warns of. */
export function judgeManifest(value: unknown, laws: SpecLaws): Judged {
  const must: Must = (rule, holds, text) => {
    if (!holds && !laws.forgotten.has(rule)) throw new Refused(422, text);
  };
  if (!isObject(value)) throw new Refused(422, "A manifest is one JSON object.");
  judgeSchema(value["schema"], must);
  const { items } = value;
  if (!Array.isArray(items)) throw new Refused(422, "items must be a list of sounds.");
  must("no sounds", items.length > 0, "items is empty; a package has 1 to 32 sounds.");
  must("too many sounds", items.length <= laws.sounds, "More than 32 sounds.");
  const warnings = warnOfPackage(value, must, laws);
  const files = new Map<string, Announced>();
  let total = 0;
  for (const [index, sound] of (items as unknown[]).entries()) {
    if (!isObject(sound)) throw new Refused(422, `Sound ${index + 1} is not an object.`);
    const { file, bytes, sha256 } = judgeFile(sound, index, must, laws);
    must("file twice", !files.has(file), about(file, "two sounds use this file."));
    files.set(file, { bytes, sha256 });
    total += bytes;
    warnings.push(...warnOfSound(sound, about(file, ""), must, laws));
  }
  must("total", !(total > laws.totalBytes), "The sounds have more than 200 MB together.");
  return { files, warnings };
}

function judgeSchema(schema: unknown, must: Must): void {
  const newer = typeof schema === "string" && /^app2host\/(?:[2-9]|[1-9]\d+)$/.test(schema);
  const short = String(schema).slice(0, 30);
  must("newer schema", !newer, `${short} is newer than app2host/1. Update the importer.`);
  must("schema missing", schema !== undefined, "schema is missing; it must be app2host/1.");
  must("schema", newer || schema === undefined || schema === "app2host/1", "Unknown schema.");
}

function judgeFile(sound: Fields, index: number, must: Must, laws: SpecLaws) {
  const { file: name, bytes: size, sha256: sum } = sound;
  const nth = `Sound ${index + 1}: `;
  must("file missing", isText(name), `${nth}file is missing.`);
  const file = isText(name) ? name : `sound-${index + 1}.wav`;
  must("file start", /^[a-z\d]/i.test(file), `${nth}file must begin with a letter or digit.`);
  must("file signs", /^.[\w .-]*$/.test(file), `${nth}file has signs that are not allowed.`);
  must("file dots", !file.includes(".."), `${nth}file must not contain "..".`);
  must("file wav", /\.wav$/i.test(file), `${nth}file must end in .wav.`);
  must("file length", file.length <= laws.fileSigns, `${nth}file has more than 100 characters.`);
  must("bytes missing", size !== undefined, about(file, "bytes is missing."));
  const bytes = Number(size);
  must(
    "bytes whole",
    size === undefined || Number.isInteger(size),
    about(file, "bytes is no integer."),
  );
  must("bytes zero", !(bytes < 1), about(file, "bytes must be at least 1."));
  must("bytes above", !(bytes > laws.fileBytes), about(file, "bytes is more than 209715200."));
  must("sha256 missing", sum !== undefined, about(file, "sha256 is missing."));
  const isSum = sum === undefined || (typeof sum === "string" && /^[\da-f]{64}$/i.test(sum));
  must("sha256", isSum, about(file, "sha256 must be 64 hex digits."));
  return { file, bytes, sha256: String(sum) };
}

function warnOfPackage(manifest: Fields, must: Must, laws: SpecLaws): string[] {
  const { title, source, tempo, created_at: created, package_id: id } = manifest;
  const warnings = unknownProperties(manifest, KNOWN.manifest, "The manifest");
  const warn = (isOdd: boolean, text: string) => isOdd && warnings.push(text);
  warn("midi" in manifest, "midi is not used yet.");
  warn(
    title !== undefined && !(isText(title) && Array.from(title).length <= 60),
    "The title was cut or left out.",
  );
  const isDate = isText(created) && !Number.isNaN(Date.parse(created));
  warn(created !== undefined && !isDate, "created_at is no date and was left out.");
  const isId = id === undefined || (isText(id) && /^[\w.-]{1,100}$/.test(id));
  if (laws.rangesRefuse) must("package_id", isId, "package_id has 1 to 100 of a-z 0-9 . _ -");
  else warn(!isId, "package_id was replaced.");
  for (const value of isObject(source) ? Object.values(source) : [])
    warn(!(isText(value) && value.length <= 40), "A text of source was cut or left out.");
  const bpm = isObject(tempo) ? tempo["bpm"] : undefined;
  if (laws.rangesRefuse) must("tempo", isWithin(bpm, 20, 999), "tempo.bpm must be 20 to 999.");
  else warn(!isWithin(bpm, 20, 999), "tempo.bpm is not 20 to 999 and was left out.");
  return warnings;
}

function warnOfSound(sound: Fields, who: string, must: Must, laws: SpecLaws): string[] {
  const { kind, role, name, id, bpm, length_beats: beats, warp_mode: warp, color } = sound;
  const warnings = unknownProperties(sound, KNOWN.sound, who);
  const warn = (isOdd: boolean, text: string) => isOdd && warnings.push(`${who}${text}`);
  const isUnknown = (value: unknown, known: unknown[]) =>
    value !== undefined && !known.includes(value);
  warn(isUnknown(kind, KNOWN.kinds), "unknown kind, plays as a one-shot.");
  warn(isUnknown(role, KNOWN.roles), "unknown role.");
  warn(isUnknown(warp, KNOWN.warps), "unknown warp_mode.");
  warn(
    name !== undefined &&
      (!isText(name) || Array.from(name).length > 40 || NOT_IN_NAMES.test(name)),
    "name cleaned.",
  );
  warn(color !== undefined && !(isText(color) && /^#?[\da-f]{6}$/i.test(color)), "no such color.");
  warn(!isWithin(sound["gain_db"], -70, 24), "gain_db was kept between -70 and 24.");
  const isId = id === undefined || (isText(id) && id.length >= 1 && id.length <= 100);
  const isTempo = isWithin(bpm, 20, 999);
  const isLength = isWithin(beats, Number.MIN_VALUE, 4096);
  if (kind !== "loop") {
    warn(bpm !== undefined, "a one-shot has no bpm.");
    warn(beats !== undefined, "a one-shot has no length_beats.");
  } else if (laws.rangesRefuse) {
    must("bpm", isTempo, `${who}bpm must be 20 to 999.`);
    must("length_beats", isLength, `${who}length_beats must be above 0, up to 4096.`);
  } else warn(!isTempo || !isLength, "bpm or length_beats out of range.");
  if (laws.rangesRefuse) must("id", isId, `${who}id must have 1 to 100 characters.`);
  else warn(!isId, "id was replaced.");
  return warnings;
}

function unknownProperties(fields: Fields, known: readonly string[], who: string): string[] {
  return Object.keys(fields)
    .filter((name) => !known.includes(name))
    .map((name) => `${who} ${name.slice(0, 40)} is unknown.`);
}

/** A problem after the sound's file name, which is shortened so that both fit. */
function about(file: string, problem: string): string {
  const room = 78 - (problem.length || 40);
  return `${file.length > room ? `${file.slice(0, room - 3)}...` : file}: ${problem}`;
}

export const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isWithin = (value: unknown, least: number, most: number) =>
  value === undefined || (typeof value === "number" && value >= least && value <= most);
