import { countOf } from "../../../core/text/count-of.ts";
import { Failure, WrongUse } from "../../fail.ts";
import type { FolderPackage } from "../../layout/read-package-folder.ts";
import { type LibraryStatus, readLibrary, statusOf } from "../../layout/run-library.ts";
import type { DawprojectRemark, WrittenDawproject } from "../../layout/write-dawproject.ts";
import type { Output } from "../../output.ts";
import { stopSignal } from "../../stop-signal.ts";

interface DawprojectRequest {
  readonly path: string;
  /** Set to lay everything out on the timeline, too. */
  readonly withArrangement: boolean;
}

/**
 * Writes all packages into one DAWproject and reports what is left out (rule K5).
 * @returns the exit status: 0 if every package could be read
 * @throws {WrongUse} if the file's name doesn't end in `.dawproject`
 * @throws {Failure} with all reasons if no sound can be used, or if the file can't be written
 */
export async function exportDawproject(
  folders: readonly string[],
  request: DawprojectRequest,
  output: Output,
): Promise<LibraryStatus> {
  // DAWs need the extension, and it keeps a typo from overwriting a WAV or a manifest.
  if (!/\.dawproject$/i.test(request.path)) {
    throw new WrongUse(
      `The name of a DAWproject must end in .dawproject, but ${request.path} doesn't.`,
    );
  }
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
  const { scenes, sounds, leftOut, notes } = await write(packages, request);
  for (const remark of leftOut) output.say(`${formatRemark(remark)} It was left out.`);
  for (const note of notes) output.say(formatRemark(note));
  const made = { dawproject: request.path, scenes, sounds, left_out: leftOut, notes };
  output.give(
    failures.length === 0 ? made : { ...made, failures },
    `${request.path}: ${countOf(scenes, "scene")}, ${countOf(sounds, "sound")}.`,
  );
  return statusOf(outcomes);
}

async function write(
  packages: readonly FolderPackage[],
  { path, withArrangement }: DawprojectRequest,
): Promise<WrittenDawproject> {
  const { NothingToWriteError, writeDawproject } = await import("../../layout/write-dawproject.ts");
  try {
    return await writeDawproject(packages, path, { withArrangement, signal: stopSignal() });
  } catch (error) {
    if (error instanceof NothingToWriteError) {
      const sentences = [error.message, ...error.leftOut.map(formatRemark)];
      throw new Failure(sentences.join("\n"), { cause: error });
    }
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw new Failure(`${path} can't be written.`, { cause: error });
  }
}

function formatRemark({ folder, sound, text }: DawprojectRemark): string {
  return `${folder}: ${sound}: ${text}`;
}
