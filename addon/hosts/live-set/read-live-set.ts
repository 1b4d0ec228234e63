import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { FindingList } from "../../../core/live-set/check/finding-list.ts";
import { liveSetSentence } from "../../../core/live-set/live-set-sentences.ts";
import { RELATIVE_TO } from "../../../core/live-set/make-clip.ts";
import { type ClipInSet, readClips } from "../../../core/live-set/read-clips.ts";
import { readTemplate, TemplateError } from "../../../core/live-set/read-template.ts";
import type { SetShape } from "../../../core/live-set/set-shape.ts";
import type { SetElement } from "../../../core/live-set/set-element.ts";
import { unlessMissing } from "../../disk/atomic-file.ts";
import { readSet } from "./read-set.ts";

/** A clip of a Set, and the file that it plays. */
export interface HeldSetClip {
  readonly clip: ClipInSet;
  /** The real path of its file; undefined where there is none. */
  readonly path: string | undefined;
}

/**
 * Reads a Set, whatever is unusual in its container.
 * @throws {Error} when it can't be read
 */
export async function readSetFile(path: string): Promise<SetElement> {
  return (await readSet(path, new FindingList())).root;
}

/**
 * Reads the shape of a Set that a person's Live saved (rule LS12).
 * @throws {TemplateError} if it can't be used
 */
export async function readShape(path: string): Promise<SetShape> {
  const document = await readSetFile(path).catch((cause: unknown) => {
    throw new TemplateError(liveSetSentence("TEMPLATE_UNREADABLE"), { cause });
  });
  return readTemplate(document);
}

/**
 * Reads back the clips of a Set, scene by scene, in the order of the tracks.
 * @throws {Error} when it can't be read
 */
export async function readLiveSet(path: string): Promise<readonly HeldSetClip[]> {
  const clips = readClips(await readSetFile(path));
  return Promise.all(clips.map(async (clip) => ({ clip, path: await fileOf(clip, path) })));
}

/** Returns the real path of a clip's file; the Set's folder is its project's, too. */
async function fileOf({ file }: ClipInSet, setPath: string): Promise<string | undefined> {
  const isRelative = [RELATIVE_TO.set, RELATIVE_TO.project].some(
    (type) => type === file.relativeTo,
  );
  if (!isRelative) return undefined;
  return unlessMissing(realpath(resolve(dirname(setPath), file.relativePath)), undefined);
}
