import { type Command, Option } from "commander";
import { LocalPackageError } from "../../addon/packages/local-package-error.ts";
import { layoutJson } from "../../core/layout/layout-json.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";
import { newCommand, withJson } from "../command.ts";
import { WrongUse } from "../fail.ts";
import { findPackages } from "../layout/find-packages.ts";
import type { CheckFlags } from "./layout/check-library.ts";
import { SHOW } from "./layout/show-task.ts";
import { readPackageFolder } from "../layout/read-package-folder.ts";
import { runLibrary } from "../layout/run-library.ts";
import { outputFor } from "../output.ts";
import { stopSignal } from "../stop-signal.ts";

interface LayoutFlags extends CheckFlags {
  readonly check?: boolean;
  readonly update?: boolean;
  readonly allowMissing?: boolean;
  readonly dawproject?: string;
  readonly liveSet?: string;
  readonly template?: string;
  readonly arrangement?: boolean;
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
      ).conflicts(["update", "dawproject", "liveSet"]),
    )
    .option("--strict", "with --check: also exit 1 for findings, such as a click or clipping")
    .addOption(
      new Option("--update", "accept every current layout and sound").conflicts([
        "dawproject",
        "liveSet",
      ]),
    )
    .option("--allow-missing", "with --update: accept missing and broken files, too")
    .addOption(
      new Option(
        "--dawproject <file>",
        "write everything into a DAWproject, a scene for each package",
      ).conflicts("liveSet"),
    )
    .option(
      "--live-set <folder>",
      "write everything into a Live Set in that folder (experimental, not yet opened in a real Live)",
    )
    .option("--template <set>", "with --live-set: take the shape of a Set that your Live saved")
    .option("--arrangement", "with --dawproject: also one after another on the timeline")
    .option("--junit <file>", "with --check: also write the result as JUnit XML")
    .option(
      "--github",
      "with --check: also annotate the manifests' lines and fill the step's summary in GitHub Actions",
    )
    .option("--html <file>", "with --check: also write a page to see and hear what differs")
    .option("--base <folder>", "with --html: a checkout of the base, to hear the old sounds");
  return withJson(command).action(runLayout);
}

/** Flags that say nothing without another. */
const NEEDS = [
  ["arrangement", "dawproject"],
  ["template", "liveSet"],
  ["allowMissing", "update"],
  ["strict", "check"],
  ["junit", "check"],
  ["github", "check"],
  ["html", "check"],
  ["base", "html"],
] as const;

async function runLayout(paths: readonly string[], flags: LayoutFlags): Promise<void> {
  const { dawproject, liveSet, arrangement: withArrangement = false } = flags;
  const alone = NEEDS.find(([flag, other]) => flags[flag] !== undefined && !flags[other]);
  if (alone !== undefined) {
    const [flag, other] = alone;
    throw new WrongUse(`--${kebab(flag)} needs --${kebab(other)}.`);
  }
  const output = outputFor(flags);
  const folders = await findPackages(paths);
  if (dawproject !== undefined || liveSet !== undefined) {
    const exporting = await import("./layout/export-packages.ts");
    const request =
      dawproject === undefined
        ? exporting.liveSetExport(liveSet ?? "", flags.template)
        : exporting.dawprojectExport(dawproject, withArrangement);
    process.exitCode = await exporting.exportPackages(folders, request, output);
    return;
  }
  if (flags.check === true) {
    const { checkLibrary } = await import("./layout/check-library.ts");
    return checkLibrary(folders, flags, output);
  }
  // The arguments decide between one layout and a list, not the number of packages found.
  const [path, another] = paths;
  const isOne = path !== undefined && another === undefined && folders[0] === path;
  if (flags.update !== true && isOne) {
    const { layout } = await readPackageFolder(path).catch(refuseMistyped);
    output.give(layoutJson(layout), formatLayout(layout).trimEnd());
    return;
  }
  // What only some uses need isn't loaded for the others.
  const task =
    flags.update === true
      ? (await import("./layout/library-tasks.ts")).updateTask(flags.allowMissing)
      : SHOW;
  const { json, text, exitStatus } = await runLibrary(folders, task, stopSignal());
  output.give(json, text);
  process.exitCode = exitStatus;
}

/** Formats a flag's name as it is typed. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** @throws {WrongUse} if there is no package (rule B8) */
function refuseMistyped(error: unknown): never {
  if (!(error instanceof LocalPackageError) || error.code !== "NO_PACKAGE") throw error;
  throw new WrongUse(error.message, { cause: error });
}
