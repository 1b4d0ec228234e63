import { resolve } from "node:path";
import type { Command } from "commander";
import type { ImporterCalls } from "../../../addon/importer.ts";
import type {
  ImportAllOutcome,
  ImportOptions,
  PackageProgress,
} from "../../../addon/runs/importer-calls.ts";
import { inEnglish } from "../../../core/messages/translate.ts";
import type { ImportedTrack } from "../../../core/protocol/import-outcome.ts";
import { NOT_SELECTED } from "../../../core/protocol/package-status.ts";
import { formatSpan } from "../../../core/text/format-span.ts";
import { newCommand } from "../../command.ts";
import { WrongUse } from "../../fail.ts";
import {
  ARRANGING_HOST_WORDS,
  canArrange,
  fileHostName,
  type FileHostName,
  fileIn,
  fileKey,
  type HostName,
  hostOption,
  isFileHost,
  namedHost,
} from "../../hosts.ts";
import { type Output, outputFor } from "../../output.ts";
import { type Progress, showProgress } from "../../progress.ts";
import { stopSignal } from "../../stop-signal.ts";
import { formatOutcome, type GivenOutcome, importFailure } from "./format-outcome.ts";
import { withImporter } from "./with-importer.ts";

interface ImportFlags {
  readonly all?: boolean;
  readonly again?: boolean;
  readonly takeOver?: boolean;
  readonly only?: readonly string[];
  readonly sameTracks?: boolean;
  readonly arrangement?: boolean;
  readonly template?: string;
}

/** `soundferry importer import` (rules K2, K5). */
export function importCommand(): Command {
  return (
    newCommand("importer import", "Imports packages and prints the result of every sound.")
      .argument("[package...]", "ids of packages on the relay or in the inbox, or package folders")
      .option("--all", "every waiting package, and every inbox package not imported there yet")
      .option("--only <sounds...>", "only these sounds, by id or name; stands after the packages")
      .option(
        "--same-tracks",
        "import again onto the tracks of the earlier import, where the host can",
      )
      .option("--again", "import a package again although part of it is already in the host")
      .option("--take-over", "take over a package that another run holds")
      // In the help it stands among the flags of importer.
      .addOption(hostOption().hideHelp())
      .option("--arrangement", `with --host ${ARRANGING_HOST_WORDS}: also place it on the timeline`)
      .option(
        "--template <set>",
        "with --host live-set: take the shape of a Set that your Live saved",
      )
      .action(importPackages)
  );
}

async function importPackages(
  sources: readonly string[],
  flags: ImportFlags,
  command: Command,
): Promise<void> {
  const isEach = sources.length > 0;
  if (isEach === (flags.all === true)) {
    throw new WrongUse("Name the packages or folders to import, or use --all.");
  }
  if (!isEach && flags.only !== undefined) {
    throw new WrongUse("--only chooses sounds of the packages that you name, not of --all.");
  }
  if (!isEach && flags.sameTracks === true) {
    throw new WrongUse("--same-tracks is for packages that you name, not for --all.");
  }
  const named = namedHost(command);
  if (flags.template !== undefined && (!isEach || named !== "live-set")) {
    throw new WrongUse("--template is for --host live-set and packages that you name.");
  }
  const host = readHost(named, flags);
  const output = outputFor(command.optsWithGlobals());
  const signal = stopSignal();
  const { onProgress, stop } = followImports(output);
  await withImporter(command, async (importer) => {
    const options = { signal, onProgress, ...(host !== undefined && { host }) };
    const work = isEach
      ? importEach(importer, sources, { ...options, ...choicesOf(flags) })
      : importer.importAll(options);
    const outcomes = await work.finally(stop);
    const isFile = named !== undefined && isFileHost(named);
    const given = isFile ? await withFiles(outcomes, named, flags) : outcomes;
    giveOutcomes(given, { output, host });
  });
}

function choicesOf(flags: ImportFlags) {
  const { again = false, takeOver = false, only, sameTracks = false, template } = flags;
  return {
    again,
    takeOver,
    ...(only !== undefined && { only }),
    ...(sameTracks && { reuseTracks: true }),
    // A running importer has another working folder.
    ...(template !== undefined && { template: resolve(template) }),
  };
}

/** Returns the importer's name for the host; undefined for the one that it chooses. */
function readHost(
  host: HostName | undefined,
  { arrangement: withArrangement = false }: ImportFlags,
): string | undefined {
  if (!withArrangement) return host;
  if (host !== undefined && isFileHost(host) && canArrange(host)) {
    return fileHostName(host, { withArrangement });
  }
  throw new WrongUse(`--arrangement needs --host ${ARRANGING_HOST_WORDS}.`);
}

async function importEach(
  importer: ImporterCalls,
  sources: readonly string[],
  options: ImportOptions,
): Promise<ImportAllOutcome> {
  const packages: ImportAllOutcome["packages"][number][] = [];
  const failures: ImportAllOutcome["failures"][number][] = [];
  for (const source of sources) {
    try {
      packages.push(await importer.import(source, options));
    } catch (error) {
      options.signal?.throwIfAborted();
      // No other package would fare better.
      if (packages.length + failures.length === 0 && isHostNotReady(error)) throw error;
      failures.push({ source, error: importFailure(error) });
    }
  }
  return { packages, failures };
}

/** Checks whether the host doesn't answer, here or in another process. */
function isHostNotReady(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "HOST_NOT_READY";
}

interface GivenOutcomes {
  readonly packages: readonly GivenOutcome[];
  readonly failures: ImportAllOutcome["failures"];
}

/** Adds the path of each package's file; there is none if no sound was imported. */
async function withFiles(
  { packages, failures }: ImportAllOutcome,
  name: FileHostName,
  { arrangement: withArrangement = false }: ImportFlags,
): Promise<GivenOutcomes> {
  const given = packages.map(async (outcome): Promise<GivenOutcome> => {
    const { folder, status } = outcome;
    if (folder === null || status === "failed") return outcome;
    return { ...outcome, [fileKey(name)]: await fileIn(folder, name, { withArrangement }) };
  });
  return { packages: await Promise.all(given), failures };
}

function giveOutcomes(
  { packages, failures }: GivenOutcomes,
  { output, host }: { readonly output: Output; readonly host: string | undefined },
): void {
  for (const { source, error } of failures) output.say(`${source}: ${error}`);
  const texts = packages.map((outcome) => formatOutcome(outcome, host));
  const nothing = failures.length > 0 ? "Nothing was imported." : "No packages waiting for Import.";
  output.give(
    { packages, ...(failures.length > 0 && { failures }) },
    texts.length > 0 ? texts.join("\n\n") : nothing,
  );
  const isComplete = packages.every(({ tracks }) => tracks.every(isAsAsked));
  if (failures.length > 0 || !isComplete) process.exitCode = 1;
}

/** A sound that the person left out is as asked. */
function isAsAsked({ status, error }: ImportedTrack): boolean {
  return status === "imported" || error === NOT_SELECTED;
}

/** Shows the progress of imports: a bar for each package's download, then a line when it is placed. */
export function followImports(output: Output): {
  readonly onProgress: (progress: PackageProgress) => void;
  readonly stop: () => void;
} {
  let bar: Progress | undefined;
  let isRetrying = false;
  const stop = (): void => {
    bar?.stop();
    bar = undefined;
  };
  const onProgress = ({ title, progress }: PackageProgress): void => {
    if (progress.phase === "retrying") {
      if (isRetrying) return;
      isRetrying = true;
      stop();
      const time = formatSpan(inEnglish, progress.secondsLeft);
      return output.say(`${title}: the connection was lost. Trying again… (${time} left)`);
    }
    isRetrying = false;
    if (progress.phase === "fetching") {
      bar ??= showProgress("Fetched", new Map([[title, progress.totalBytes]]), output);
      bar.update(title, progress.doneBytes);
      return;
    }
    stop();
    if (progress.phase === "placing" && progress.placed === progress.total) {
      output.say(`${title}: ${progress.placed} of ${progress.total} placed.`);
    }
    if (progress.phase === "reported" && !progress.isKnown) {
      output.say(`${title}: the relay gets the result once it is back online.`);
    }
  };
  return { onProgress, stop };
}
