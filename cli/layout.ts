import { type Command, Option } from "commander";
import { LocalPackageError } from "../addon/import/local-package.ts";
import { layoutJson } from "../core/layout/layout-json.ts";
import { printLayout } from "../core/layout/print-layout.ts";
import { Refusal } from "../core/refusal.ts";
import { newCommand, withJson } from "./command.ts";
import { checkGolden, updateGolden } from "./layout/golden.ts";
import { readPackageFolder } from "./layout/read-package-folder.ts";
import { type Output, outputFor } from "./output.ts";

interface LayoutFlags {
  readonly check?: boolean;
  readonly update?: boolean;
  readonly json?: boolean;
}

/** What came of one folder. */
interface FolderResult {
  readonly json: object;
  readonly text: string;
  readonly isGood: boolean;
}

/** `soundferry layout`: what package folders become (rules K2, K5). */
export function layoutCommand(): Command {
  const command = newCommand(
    "layout",
    "Shows what package folders become in the host: the scene, and each track with its clip's settings. " +
      "--check compares each with the layout accepted before, in the folder's expected/; --update accepts it as it is now.",
  )
    .argument("<folder...>", "package folders: manifest.json, with the WAVs beside it")
    .addOption(
      new Option("--check", "exit 1 where a layout is not as accepted").conflicts("update"),
    )
    .addOption(new Option("--update", "accept every layout as it is now"));
  return withJson(command).action(runLayout);
}

async function runLayout(folders: readonly string[], flags: LayoutFlags): Promise<void> {
  const output = outputFor(flags);
  if (flags.check === true) return checkAll(folders, output);
  if (flags.update === true) return updateAll(folders, output);
  const [folder = ""] = folders;
  if (folders.length > 1) return showAll(folders, output);
  const layout = await readPackageFolder(folder);
  output.give(layoutJson(layout), printLayout(layout).trimEnd());
}

async function showAll(folders: readonly string[], output: Output): Promise<void> {
  let sounds = 0;
  let unusable = 0;
  const results = await onEach(folders, async (folder) => {
    const layout = await readPackageFolder(folder);
    sounds += layout.tracks.length;
    unusable += layout.tracks.filter((track) => "error" in track).length;
    return { json: { folder, ...layoutJson(layout) }, text: printLayout(layout), isGood: true };
  });
  const badly = unusable === 0 ? "" : `, ${unusable} of them not usable`;
  giveAll(results, `${folders.length} packages, ${sounds} sounds${badly}.`, output);
}

async function checkAll(folders: readonly string[], output: Output): Promise<void> {
  const results = await onEach(folders, async (folder) => {
    const verdict = await checkGolden(folder);
    const text = verdict.same ? "as accepted" : verdict.differences;
    return { json: { folder, ...verdict }, text: `${folder}: ${text}`, isGood: verdict.same };
  });
  const same = results.filter(({ isGood }) => isGood).length;
  const advice = same === results.length ? "" : " Look at the others; --update accepts them.";
  giveAll(results, `${same} of ${results.length} are laid out as accepted.${advice}`, output);
}

async function updateAll(folders: readonly string[], output: Output): Promise<void> {
  let changes = 0;
  const results = await onEach(folders, async (folder) => {
    const changed = await updateGolden(folder);
    if (changed) changes += 1;
    const text = changed ? "accepted as it is now" : "as accepted before";
    return { json: { folder, changed }, text: `${folder}: ${text}`, isGood: true };
  });
  giveAll(results, `${changes} of ${results.length} changed.`, output);
}

/** Does the same for every folder; one that is no package stops none of the others. */
async function onEach(
  folders: readonly string[],
  act: (folder: string) => Promise<FolderResult>,
): Promise<readonly FolderResult[]> {
  const results: FolderResult[] = [];
  for (const folder of folders) {
    results.push(
      await act(folder).catch((error: unknown) => {
        if (!(error instanceof LocalPackageError || error instanceof Refusal)) throw error;
        const { message } = error;
        return { json: { folder, error: message }, text: `${folder}: ${message}`, isGood: false };
      }),
    );
  }
  return results;
}

function giveAll(results: readonly FolderResult[], summary: string, output: Output): void {
  const packages = results.map(({ json }) => json);
  const texts = results.map(({ text }) => text);
  output.give({ packages }, [...texts, summary].join("\n"));
  if (results.some(({ isGood }) => !isGood)) process.exitCode = 1;
}
