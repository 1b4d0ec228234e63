import { ProjectInWayError } from "../../../addon/hosts/live-set/live-set-file.ts";
import { FolderNotMadeError } from "../../../program/make-folder.ts";
import { TemplateError } from "../../../core/live-set/read-template.ts";
import { SetTooLargeError } from "../../../core/live-set/set-size.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { Failure, sentenceOf, WrongUse } from "../../fail.ts";
import {
  NothingToWriteError,
  type SoundRemark,
  type WrittenPackages,
} from "../../layout/gather-sounds.ts";
import type { FolderPackage } from "../../layout/read-package-folder.ts";
import { type LibraryStatus, readLibrary, statusOf } from "../../layout/run-library.ts";
import type { Output } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";

/** A file, or a folder with one, into which packages are written. */
interface Export {
  /** The name of the path in the JSON. */
  readonly key: "dawproject" | "live_set";
  /** Writes the packages, and returns the path of the file. */
  readonly write: (
    packages: readonly FolderPackage[],
    signal: AbortSignal,
  ) => Promise<WrittenPackages & { readonly path: string }>;
  /** The path as given, for the sentence that it can't be written. */
  readonly to: string;
  /** A sentence that a person must know of every such file. */
  readonly caution?: string;
}

/**
 * Exports packages to one DAWproject (rule K5).
 * @throws {WrongUse} if the file's name doesn't end in `.dawproject`
 */
export function dawprojectExport(path: string, withArrangement: boolean): Export {
  // DAWs need the extension, and it keeps a typo from overwriting a WAV or a manifest.
  if (!/\.dawproject$/i.test(path)) {
    throw new WrongUse(`The name of a DAWproject must end in .dawproject, but ${path} doesn't.`);
  }
  return {
    key: "dawproject",
    to: path,
    write: async (packages, signal) => {
      const { writeDawproject } = await import("../../layout/write-dawproject.ts");
      return { path, ...(await writeDawproject(packages, path, { withArrangement, signal })) };
    },
  };
}

/** Exports packages to one Live Set, with its project in a folder (rule LS11). */
export function liveSetExport(folder: string, template?: string): Export {
  return {
    key: "live_set",
    caution: "Experimental: not yet opened in a real Live.",
    to: folder,
    write: async (packages, signal) => {
      const { writeLiveSet } = await import("../../layout/write-live-set.ts");
      return writeLiveSet(packages, folder, { template, signal });
    },
  };
}

/**
 * Writes all packages into one file and reports what is left out (rule K5).
 * @returns the exit status: 0 if every package could be read
 * @throws {WrongUse} if a path has no package
 * @throws {Failure} with all reasons if no sound can be used, or if the file can't be written
 */
export async function exportPackages(
  folders: readonly string[],
  request: Export,
  output: Output,
): Promise<LibraryStatus> {
  const packages: FolderPackage[] = [];
  const failures: { readonly folder: string; readonly error: string }[] = [];
  const outcomes = await readLibrary(folders, (folderPackage) => folderPackage);
  for (const outcome of outcomes) {
    if ("error" in outcome) failures.push(outcome);
    else packages.push(outcome.result);
  }
  const sentences = failures.map(({ folder, error }) => `${folder}: ${error}`);
  if (packages.length === 0) {
    const Kind = statusOf(outcomes) === 2 ? WrongUse : Failure;
    throw new Kind(sentences.join("\n"));
  }
  for (const sentence of sentences) output.say(sentence);
  const { path, scenes, sounds, leftOut, notes } = await write(packages, request);
  for (const remark of leftOut) output.say(`${formatRemark(remark)} It was left out.`);
  for (const note of notes) output.say(formatRemark(note));
  const { key, caution } = request;
  const made = {
    [key]: path,
    scenes,
    sounds,
    left_out: leftOut,
    notes,
    ...(caution !== undefined && { caution }),
  };
  const counted = `${path}: ${countOf(scenes, "scene")}, ${countOf(sounds, "sound")}.`;
  output.give(
    failures.length === 0 ? made : { ...made, failures },
    caution === undefined ? counted : `${counted} ${caution}`,
  );
  return statusOf(outcomes);
}

/** Errors whose sentence says what to do. */
const OF_THE_REQUEST = [ProjectInWayError, FolderNotMadeError, SetTooLargeError];

async function write(packages: readonly FolderPackage[], request: Export) {
  try {
    return await request.write(packages, stopSignal());
  } catch (error) {
    if (error instanceof NothingToWriteError) {
      const sentences = [error.message, ...error.leftOut.map(formatRemark)];
      throw new Failure(sentences.join("\n"), { cause: error });
    }
    if (error instanceof TemplateError) throw new WrongUse(error.message, { cause: error });
    if (OF_THE_REQUEST.some((kind) => error instanceof kind)) {
      throw new Failure(sentenceOf(error), { cause: error });
    }
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new Failure(`${request.to} can't be written.`, { cause: error });
  }
}

function formatRemark({ folder, sound, text }: SoundRemark): string {
  return `${folder}: ${sound}: ${text}`;
}
