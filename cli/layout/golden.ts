import { mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { isMissing } from "../../addon/disk/atomic-file.ts";
import { QUICK_DISK } from "../../addon/disk/disk-calls.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { isInCloud, openPlainFile, readText } from "../../addon/packages/local-package.ts";
import { chunksChanged, compareAudio, type GoldenHint } from "../../core/layout/compare-audio.ts";
import {
  colorsNowAutomatic,
  compareLayouts,
  type LayoutDifference,
} from "../../core/layout/compare-layouts.ts";
import type { FileProblem } from "../../core/layout/file-problem.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";
import { type LayoutJson, layoutJson } from "../../core/layout/layout-json.ts";
import { type LayoutWithAudio, matchSounds } from "../../core/layout/match-sounds.ts";
import type { Layout } from "../../core/layout/layout.ts";
import { parseAudioJson } from "../../core/layout/parse-audio-json.ts";
import { NoLayoutError, parseLayoutJson } from "../../core/layout/parse-layout-json.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import type { PreviewGolden } from "../../core/protocol/preview-api.ts";
import { formatInCloud } from "../../core/text/format-unreadable.ts";
import { formatJsonError, parseJson } from "../../core/text/parse-json.ts";
import type { PackageAudio } from "./read-package-audio.ts";
import type { FolderPackage } from "./read-package-folder.ts";

/** The accepted layout in a package's folder (rule B2). */
export const GOLDEN_FILE = "expected/layout.json";
/** The accepted audio: what the layout, made from headers and manifest, doesn't show (rule B6). */
const AUDIO_FILE = "expected/audio.json";
/** The accepted layout as text, for people who review a change. */
export const GOLDEN_TEXT_FILE = "expected/layout.txt";

/** All that a comparison with the golden reads: its folder and its files. */
export const GOLDEN_PLACES = ["expected", GOLDEN_FILE, AUDIO_FILE];

/**
 * Compares a package with its golden (rules B2, B3, B6). An unreadable golden is a result, too.
 * @param audio as it is now
 */
export async function checkGolden(
  { local, layout }: FolderPackage,
  audio: PackageAudio,
): Promise<PreviewGolden> {
  const { problems } = audio;
  try {
    const layoutGolden = await readGolden(local.folder, GOLDEN_FILE, parseLayoutJson);
    if (layoutGolden === undefined) return { status: "missing", file: GOLDEN_FILE, problems };
    const audioGolden = await readGolden(local.folder, AUDIO_FILE, parseAudioJson);
    const now = { layout: layoutJson(layout), audio: audio.json };
    const accepted = matchSounds(
      { layout: layoutGolden, audio: audioGolden ?? { ...audio.json, sounds: [] } },
      now,
    );
    const open = problems.filter((problem) => !isAccepted(problem, accepted.layout, now.layout));
    if (audioGolden === undefined) return { status: "missing", file: AUDIO_FILE, problems: open };
    assertComplete(accepted);
    const differences = bySound([
      ...compareLayouts(accepted.layout, now.layout),
      ...compareAudio(accepted.audio, now.audio),
    ]);
    const hints = [
      ...colorsNowAutomatic(accepted.layout, now.layout).map(hintOf("COLOR_AUTOMATIC")),
      ...chunksChanged(accepted.audio, now.audio).map(hintOf("CHUNKS_CHANGED")),
    ];
    if (differences.length === 0) return { status: "same", hints, problems: open };
    return {
      status: "differs",
      accepted: accepted.layout,
      audio: { accepted: accepted.audio, now: now.audio },
      differences,
      hints,
      problems: open,
    };
  } catch (error) {
    if (!(error instanceof LocalPackageError)) throw error;
    return { status: "unreadable", error: error.message, problems };
  }
}

/** Sorts differences: first those of the package, then those of each sound together. */
function bySound(differences: readonly LayoutDifference[]): readonly LayoutDifference[] {
  const sounds = [...new Set([null, ...differences.map(({ sound }) => sound)])];
  return sounds.flatMap((id) => differences.filter(({ sound }) => sound === id));
}

const hintOf =
  (code: GoldenHint["code"]) =>
  (sound: string): GoldenHint => ({ sound, code });

/** Checks whether the golden has the same sentence about a file that is missing or broken (rule B7). */
function isAccepted(
  { sound, isAcceptable }: FileProblem,
  accepted: LayoutJson,
  now: LayoutJson,
): boolean {
  const errorIn = ({ tracks }: LayoutJson): string | undefined => {
    const track = tracks.find(({ id }) => id === sound);
    return track !== undefined && "error" in track ? track.error : undefined;
  };
  return isAcceptable && errorIn(now) !== undefined && errorIn(now) === errorIn(accepted);
}

/** @throws {LocalPackageError} if a usable sound has no audio */
function assertComplete({ layout, audio }: LayoutWithAudio): void {
  const ids = new Set(audio.sounds.map(({ id }) => id));
  const lacking = usableTracks(layout).find(({ id }) => !ids.has(id));
  if (lacking === undefined) return;
  throw new LocalPackageError(`${AUDIO_FILE} can't be used. It lacks the sound ${lacking.clip}.`);
}

/**
 * Checks whether layout.txt shows another layout than the package's current one; a missing file is fine, and so is one
 * that agrees with the golden about colors that are automatic now (rule B5).
 * @throws {LocalPackageError} if it can't be read
 */
export async function isGoldenTextStale({ local, layout }: FolderPackage): Promise<boolean> {
  const text = await readGoldenFile(local.folder, GOLDEN_TEXT_FILE);
  if (text === undefined || text === formatLayout(layout)) return false;
  const accepted = await readGolden(local.folder, GOLDEN_FILE, parseLayoutJson);
  return accepted === undefined || text !== formatLayout(withAcceptedColors(layout, accepted));
}

/** The layout as it was written down before its colors were automatic (rule B5). */
function withAcceptedColors(
  layout: Layout<number | null>,
  accepted: LayoutJson,
): Layout<number | null> {
  const automatic = new Set(colorsNowAutomatic(accepted, layoutJson(layout)));
  const colors = new Map(
    usableTracks(accepted)
      .filter(({ id }) => automatic.has(id))
      .map(({ id, color_index }) => [id, color_index]),
  );
  const tracks = layout.tracks.map((sound) =>
    "error" in sound
      ? sound
      : { ...sound, colorIndex: colors.get(sound.soundId) ?? sound.colorIndex },
  );
  return { ...layout, tracks };
}

/** A golden's file and what accepting the current layout writes to it. */
export interface GoldenChange {
  readonly name: string;
  /** The old text; null if there is none that can be read. */
  readonly before: string | null;
  readonly after: string;
}

/** Plans the changes that accept a package as it is. */
export async function planGolden(
  { local, layout }: FolderPackage,
  { json: audio }: PackageAudio,
): Promise<readonly GoldenChange[]> {
  const texts = [
    [GOLDEN_FILE, formatJson(layoutJson(layout))],
    [AUDIO_FILE, formatJson(audio)],
    [GOLDEN_TEXT_FILE, formatLayout(layout)],
  ] as const;
  const changes: GoldenChange[] = [];
  for (const [name, after] of texts) {
    const before = (await readGoldenFile(local.folder, name).catch(() => undefined)) ?? null;
    if (before !== after) changes.push({ name, before, after });
  }
  return changes;
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The result of accepting a package. */
export interface GoldenUpdate {
  /** True if a file changed. */
  readonly changed: boolean;
  /** The faults of its files that weren't accepted before. */
  readonly problems: readonly FileProblem[];
  /** True if the faults kept it from being accepted. */
  readonly isRefused: boolean;
}

/**
 * Accepts a package as it is, unless a file is missing or broken, or the manifest is wrong about one (rule B7). Then
 * nothing is written.
 * @param allowMissing accepts files that are missing or broken
 * @throws {LocalPackageError} if a file can't be written
 */
export async function updateGolden(
  pkg: FolderPackage,
  audio: PackageAudio,
  { allowMissing = false }: { readonly allowMissing?: boolean } = {},
): Promise<GoldenUpdate> {
  const { problems } = await checkGolden(pkg, audio);
  const isRefused = problems.some(({ isAcceptable }) => !(isAcceptable && allowMissing));
  if (isRefused) return { changed: false, problems, isRefused };
  const changes = await planGolden(pkg, audio);
  for (const { name, after } of changes) await writeGoldenFile(pkg.local.folder, name, after);
  return { changed: changes.length > 0, problems, isRefused };
}

/** @throws {LocalPackageError} if it can't be read or isn't what `parse` takes */
async function readGolden<Golden>(
  folder: string,
  name: string,
  parse: (value: unknown) => Golden,
): Promise<Golden | undefined> {
  const text = await readGoldenFile(folder, name);
  if (text === undefined) return undefined;
  const value = parseJson(text);
  if (value === undefined) throw new LocalPackageError(`${name} ${formatJsonError(text)}`);
  try {
    return parse(value);
  } catch (error) {
    if (!(error instanceof NoLayoutError)) throw error;
    throw new LocalPackageError(`${name} can't be used. ${error.message}`, { cause: error });
  }
}

/**
 * Reads a golden with `\n` line ends; undefined if there is none.
 * @param folder the package's, without symbolic links
 * @throws {LocalPackageError} if it can't be read, or is outside the package (rule B2)
 */
async function readGoldenFile(folder: string, name: string): Promise<string | undefined> {
  const wanted = join(folder, name);
  let path: string;
  try {
    path = await QUICK_DISK.realpath(wanted);
  } catch (cause) {
    if (!isMissing(cause)) throw new LocalPackageError(`${name} can't be read.`, { cause });
    if (await isInCloud(wanted)) throw new LocalPackageError(formatInCloud(name));
    return undefined;
  }
  assertInside(folder, path, name);
  const text = await readText(await openPlainFile(path, name, QUICK_DISK), name);
  return text.replaceAll("\r\n", "\n");
}

/**
 * Writes a golden atomically. Replaces a link, never writes through it (rule B2).
 * @param folder the package's, without symbolic links
 * @throws {LocalPackageError} if it can't be written
 */
async function writeGoldenFile(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name);
  const unfinished = `${path}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    assertInside(folder, await realpath(dirname(path)), name);
    await rm(unfinished, { force: true });
    // `wx` creates the file, so it is no link either.
    await writeFile(unfinished, text, { flag: "wx" });
    await rename(unfinished, path);
  } catch (cause) {
    if (cause instanceof LocalPackageError) throw cause;
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw new LocalPackageError(`${name} can't be written.`, { cause });
  }
}

function assertInside(folder: string, path: string, name: string): void {
  if (path.startsWith(folder + sep)) return;
  throw new LocalPackageError(`${name} is outside the package's folder.`);
}
