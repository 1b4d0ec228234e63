import { type Command, Option } from "commander";
import { layoutJson } from "../../core/layout/layout-json.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";
import { newCommand, withJson } from "../command.ts";
import { WrongUse } from "../fail.ts";
import { exportDawproject } from "./layout/export-dawproject.ts";
import { findPackages } from "../layout/find-packages.ts";
import { CHECK, SHOW, UPDATE } from "./layout/library-tasks.ts";
import { readPackageFolder } from "../layout/read-package-folder.ts";
import { type LibraryTask, runLibrary } from "../layout/run-library.ts";
import { outputFor } from "../output.ts";
import { stopSignal } from "../stop-signal.ts";

interface LayoutFlags {
  readonly check?: boolean;
  readonly update?: boolean;
  readonly dawproject?: string;
  readonly arrangement?: boolean;
  readonly json?: boolean;
}

/** `soundferry layout`: shows what package folders become (rules K2, K5, B1 to B4). */
export function layoutCommand(): Command {
  const command = newCommand(
    "layout",
    "Shows what packages become in the host: the scene, and each track with its clip's settings. " +
      "--check compares each with its accepted layout in expected/; --update accepts the current one.",
  )
    .argument(
      "<folder...>",
      "packages (manifest.json with its WAVs), or libraries: folders with packages at any depth",
    )
    .addOption(
      new Option("--check", "exit 1 if a layout differs from the accepted one").conflicts([
        "update",
        "dawproject",
      ]),
    )
    .addOption(new Option("--update", "accept every current layout").conflicts("dawproject"))
    .option("--dawproject <file>", "write everything into a DAWproject, a scene for each package")
    .option("--arrangement", "with --dawproject: also one after another on the timeline");
  return withJson(command).action(runLayout);
}

async function runLayout(paths: readonly string[], flags: LayoutFlags): Promise<void> {
  const { dawproject, arrangement: withArrangement = false } = flags;
  if (withArrangement && dawproject === undefined) {
    throw new WrongUse("--arrangement needs --dawproject.");
  }
  const output = outputFor(flags);
  const folders = await findPackages(paths);
  if (dawproject !== undefined) {
    const isWhole = await exportDawproject(folders, { path: dawproject, withArrangement }, output);
    if (!isWhole) process.exitCode = 1;
    return;
  }
  const task = taskOf(flags);
  // The arguments decide between one layout and a list, not the number of packages found.
  const [path, another] = paths;
  if (task === SHOW && path !== undefined && another === undefined && folders[0] === path) {
    const { layout } = await readPackageFolder(path);
    output.give(layoutJson(layout), formatLayout(layout).trimEnd());
    return;
  }
  const { json, text, isGood } = await runLibrary(folders, task, stopSignal());
  output.give(json, text);
  if (!isGood) process.exitCode = 1;
}

function taskOf({ check, update }: LayoutFlags): LibraryTask {
  if (check === true) return CHECK;
  return update === true ? UPDATE : SHOW;
}
