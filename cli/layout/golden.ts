import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { layoutJson } from "../../core/layout/layout-json.ts";
import { printLayout } from "../../core/layout/print-layout.ts";
import { diffLines } from "./diff-lines.ts";
import { readPackageFolder } from "./read-package-folder.ts";

/** Where a package keeps the layout that a person accepted. */
const GOLDENS = "expected";

/** Whether a package is still laid out as a person once accepted. */
export type GoldenVerdict =
  | { readonly same: true }
  /** `differences` is for people: each golden that differs, with the lines that do. */
  | { readonly same: false; readonly differences: string };

/**
 * Compares a package's layout with its goldens, `expected/layout.json` and `expected/layout.txt`. A
 * golden that is not there differs in every line.
 * @throws what `readPackageFolder` throws
 */
export async function checkGolden(folder: string): Promise<GoldenVerdict> {
  const parts: string[] = [];
  for (const [name, now] of await renderGoldens(folder)) {
    const accepted = await readGolden(join(folder, GOLDENS, name));
    if (accepted === now) continue;
    const state = accepted === undefined ? "is not there yet" : "differs";
    parts.push(`${GOLDENS}/${name} ${state}:\n${diffLines(accepted ?? "", now)}`);
  }
  return parts.length === 0 ? { same: true } : { same: false, differences: parts.join("\n") };
}

/**
 * Accepts a package's layout as it is now; tells whether that changed a golden.
 * @throws what `readPackageFolder` throws
 */
export async function updateGolden(folder: string): Promise<boolean> {
  let isChanged = false;
  for (const [name, now] of await renderGoldens(folder)) {
    const path = join(folder, GOLDENS, name);
    if ((await readGolden(path)) === now) continue;
    await mkdir(join(folder, GOLDENS), { recursive: true });
    await writeFile(path, now);
    isChanged = true;
  }
  return isChanged;
}

async function renderGoldens(folder: string): Promise<ReadonlyMap<string, string>> {
  const layout = await readPackageFolder(folder);
  return new Map([
    ["layout.json", `${JSON.stringify(layoutJson(layout), null, 2)}\n`],
    ["layout.txt", printLayout(layout)],
  ]);
}

async function readGolden(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
