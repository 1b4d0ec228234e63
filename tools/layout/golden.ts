import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { formatJsonError } from "../../core/text/format-json-error.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { compareLayouts } from "../../core/layout/compare-layouts.ts";
import { type LayoutJson, layoutJson } from "../../core/layout/layout-json.ts";
import { NoLayoutError, parseLayoutJson } from "../../core/layout/parse-layout-json.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";
import type { PreviewGolden } from "../../core/protocol/preview-api.ts";
import { readGoldenFile, writeGoldenFile } from "./golden-file.ts";
import type { FolderPackage } from "./read-package-folder.ts";

/** The accepted layout in a package's folder (rule B2). */
export const GOLDEN_FILE = "expected/layout.json";
/** The same as text, for people who review a change. */
export const GOLDEN_TEXT_FILE = "expected/layout.txt";

/** Compares a package's layout with its golden (rules B2, B3). An unreadable golden is a result, too. */
export async function checkGolden({ local, layout }: FolderPackage): Promise<PreviewGolden> {
  try {
    const text = await readGoldenFile(local.folder, GOLDEN_FILE);
    if (text === undefined) return { status: "missing" };
    const accepted = parseGolden(text);
    const differences = compareLayouts(accepted, layoutJson(layout));
    return differences.length === 0
      ? { status: "same" }
      : { status: "differs", accepted, differences };
  } catch (error) {
    if (!(error instanceof LocalPackageError)) throw error;
    return { status: "unreadable", error: error.message };
  }
}

/**
 * Whether layout.txt shows another layout than the package's current one; a missing file is fine.
 * @throws {LocalPackageError} if it can't be read
 */
export async function isGoldenTextStale({ local, layout }: FolderPackage): Promise<boolean> {
  const text = await readGoldenFile(local.folder, GOLDEN_TEXT_FILE);
  return text !== undefined && text !== formatLayout(layout);
}

/**
 * Accepts a package's current layout; resolves with whether a file changed.
 * @throws {LocalPackageError} if a file can't be written
 */
export async function updateGolden({ local, layout }: FolderPackage): Promise<boolean> {
  const texts = [
    [GOLDEN_FILE, `${JSON.stringify(layoutJson(layout), null, 2)}\n`],
    [GOLDEN_TEXT_FILE, formatLayout(layout)],
  ] as const;
  let isChanged = false;
  for (const [name, now] of texts) {
    const accepted = await readGoldenFile(local.folder, name).catch(() => undefined);
    if (accepted === now) continue;
    await writeGoldenFile(local.folder, name, now);
    isChanged = true;
  }
  return isChanged;
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
