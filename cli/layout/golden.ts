import { mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { isMissing } from "../../addon/disk/atomic-file.ts";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { openPlainFile, readText } from "../../addon/packages/local-package.ts";
import { colorsNowAutomatic, compareLayouts } from "../../core/layout/compare-layouts.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";
import { type LayoutJson, layoutJson } from "../../core/layout/layout-json.ts";
import type { Layout } from "../../core/layout/layout.ts";
import { NoLayoutError, parseLayoutJson } from "../../core/layout/parse-layout-json.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import type { PreviewGolden } from "../../core/protocol/preview-api.ts";
import { formatJsonError, parseJson } from "../../core/text/parse-json.ts";
import type { FolderPackage } from "./read-package-folder.ts";

/** The accepted layout in a package's folder (rule B2). */
export const GOLDEN_FILE = "expected/layout.json";
/** The accepted layout as text, for people who review a change. */
export const GOLDEN_TEXT_FILE = "expected/layout.txt";

/** Compares a package's layout with its golden (rules B2, B3). An unreadable golden is a result, too. */
export async function checkGolden({ local, layout }: FolderPackage): Promise<PreviewGolden> {
  try {
    const accepted = await readGolden(local.folder);
    if (accepted === undefined) return { status: "missing" };
    const now = layoutJson(layout);
    const differences = compareLayouts(accepted, now);
    return differences.length === 0
      ? { status: "same", colorsNowAutomatic: colorsNowAutomatic(accepted, now) }
      : { status: "differs", accepted, differences };
  } catch (error) {
    if (!(error instanceof LocalPackageError)) throw error;
    return { status: "unreadable", error: error.message };
  }
}

/**
 * Checks whether layout.txt shows another layout than the package's current one; a missing file is fine, and so is one
 * that agrees with the golden about colors that are automatic now (rule B5).
 * @throws {LocalPackageError} if it can't be read
 */
export async function isGoldenTextStale({ local, layout }: FolderPackage): Promise<boolean> {
  const text = await readGoldenFile(local.folder, GOLDEN_TEXT_FILE);
  if (text === undefined || text === formatLayout(layout)) return false;
  const accepted = await readGolden(local.folder);
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

/** Plans the changes that accept a package's current layout. */
export async function planGolden({
  local,
  layout,
}: FolderPackage): Promise<readonly GoldenChange[]> {
  const texts = [
    [GOLDEN_FILE, `${JSON.stringify(layoutJson(layout), null, 2)}\n`],
    [GOLDEN_TEXT_FILE, formatLayout(layout)],
  ] as const;
  const changes: GoldenChange[] = [];
  for (const [name, after] of texts) {
    const before = (await readGoldenFile(local.folder, name).catch(() => undefined)) ?? null;
    if (before !== after) changes.push({ name, before, after });
  }
  return changes;
}

/**
 * Accepts a package's current layout; resolves with whether a file changed.
 * @throws {LocalPackageError} if a file can't be written
 */
export async function updateGolden(pkg: FolderPackage): Promise<boolean> {
  const changes = await planGolden(pkg);
  for (const { name, after } of changes) await writeGoldenFile(pkg.local.folder, name, after);
  return changes.length > 0;
}

/** @throws {LocalPackageError} if it can't be read or isn't a layout */
async function readGolden(folder: string): Promise<LayoutJson | undefined> {
  const text = await readGoldenFile(folder, GOLDEN_FILE);
  return text === undefined ? undefined : parseGolden(text);
}

function parseGolden(text: string): LayoutJson {
  const value = parseJson(text);
  if (value === undefined) throw new LocalPackageError(`${GOLDEN_FILE} ${formatJsonError(text)}`);
  try {
    return parseLayoutJson(value);
  } catch (error) {
    if (!(error instanceof NoLayoutError)) throw error;
    throw new LocalPackageError(`${GOLDEN_FILE} can't be used. ${error.message}`, { cause: error });
  }
}

/**
 * Reads a golden with `\n` line ends; undefined if there is none.
 * @param folder the package's, without symbolic links
 * @throws {LocalPackageError} if it can't be read, or is outside the package (rule B2)
 */
async function readGoldenFile(folder: string, name: string): Promise<string | undefined> {
  const path = await realPathIfAny(join(folder, name)).catch((cause: unknown) => {
    throw new LocalPackageError(`${name} can't be read.`, { cause });
  });
  if (path === undefined) return undefined;
  assertInside(folder, path, name);
  const text = await readText(await openPlainFile(path, name), name);
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

async function realPathIfAny(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function assertInside(folder: string, path: string, name: string): void {
  if (path.startsWith(folder + sep)) return;
  throw new LocalPackageError(`${name} is outside the package's folder.`);
}
