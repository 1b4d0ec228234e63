import { type Command, Option } from "commander";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { layoutJson } from "../../core/layout/layout-json.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";
import { newCommand, withJson } from "../command.ts";
import { WrongUse } from "../fail.ts";
import { exportDawproject } from "./layout/export-dawproject.ts";
import { findPackages } from "../layout/find-packages.ts";
import { CHECK, CHECK_STRICTLY, SHOW, updateTask } from "./layout/library-tasks.ts";
import { readPackageFolder } from "../layout/read-package-folder.ts";
import { type LibraryTask, runLibrary } from "../layout/run-library.ts";
import { outputFor } from "../output.ts";
import { stopSignal } from "../stop-signal.ts";

interface LayoutFlags {
  readonly check?: boolean;
  readonly strict?: boolean;
  readonly update?: boolean;
  readonly allowMissing?: boolean;
  readonly dawproject?: string;
  readonly arrangement?: boolean;
  readonly json?: boolean;
}

/** `soundferry layout`: shows what package folders become (rules K2, K5, B1 to B4). */
export function layoutCommand(): Command {
  const command = newCommand(
    "layout",
    "Shows what packages become in the host: the scene, and each track with its clip's settings. " +
      "--check compares each with the accepted layout and audio in expected/; --update accepts the current ones.",
  )
    .argument(
      "<folder...>",
      "packages (manifest.json with its WAVs), or libraries: folders with packages at any depth",
    )
    .addOption(
      new Option(
        "--check",
        "exit 1 if a layout or a sound differs from the accepted one",
      ).conflicts(["update", "dawproject"]),
    )
    .option("--strict", "with --check: exit 1 for what is heard, too, such as a click or clipping")
    .addOption(
      new Option("--update", "accept every current layout and sound").conflicts("dawproject"),
    )
    .option("--allow-missing", "with --update: accept missing and broken files, too")
    .option("--dawproject <file>", "write everything into a DAWproject, a scene for each package")
    .option("--arrangement", "with --dawproject: also one after another on the timeline");
  return withJson(command).action(runLayout);
}

async function runLayout(paths: readonly string[], flags: LayoutFlags): Promise<void> {
  const { dawproject, arrangement: withArrangement = false } = flags;
  if (withArrangement && dawproject === undefined) {
    throw new WrongUse("--arrangement needs --dawproject.");
  }
  if (flags.allowMissing === true && flags.update !== true) {
    throw new WrongUse("--allow-missing needs --update.");
  }
  if (flags.strict === true && flags.check !== true) throw new WrongUse("--strict needs --check.");
  const output = outputFor(flags);
  const folders = await findPackages(paths);
  if (dawproject !== undefined) {
    process.exitCode = await exportDawproject(
      folders,
      { path: dawproject, withArrangement },
      output,
    );
    return;
  }
  const task = taskOf(flags);
  // The arguments decide between one layout and a list, not the number of packages found.
  const [path, another] = paths;
  if (task === SHOW && path !== undefined && another === undefined && folders[0] === path) {
    const { layout } = await readPackageFolder(path).catch(refuseMistyped);
    output.give(layoutJson(layout), formatLayout(layout).trimEnd());
    return;
  }
  const { json, text, exitStatus } = await runLibrary(folders, task, stopSignal());
  output.give(json, text);
  process.exitCode = exitStatus;
}

/** @throws {WrongUse} if there is no package (rule B8) */
function refuseMistyped(error: unknown): never {
  if (!(error instanceof LocalPackageError) || error.code !== "NO_PACKAGE") throw error;
  throw new WrongUse(error.message, { cause: error });
}

function taskOf({ check, strict, update, allowMissing }: LayoutFlags): LibraryTask {
  if (check === true) return strict === true ? CHECK_STRICTLY : CHECK;
  return update === true ? updateTask(allowMissing) : SHOW;
}
