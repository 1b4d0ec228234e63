import { MAX_PACKAGE_BYTES } from "../../core/limits.ts";
import { PACKAGE_SIZE } from "../../core/text/format-limit.ts";
import { loadChecks } from "../parts/parts.ts";
import { ClientError, type SoundProblem } from "../wire/client-error.ts";
import { type DescribedPackage, type DescribedSound, describePackage } from "./describe-package.ts";
import { Hasher } from "./hash-sound.ts";
import type { OutgoingPackage, PackageDraft } from "./package-draft.ts";
import type { SendOptions } from "./send-options.ts";
import { countBytes, type SendRun } from "./send-run.ts";
import type { HashSettings } from "./sound-bytes.ts";
import { soundNamesOf } from "./sound-names.ts";

interface HashOptions extends Pick<SendOptions, "onProgress" | "signal">, HashSettings {}

/**
 * Prepares a draft for `sendManifest`: names, measures and hashes its files.
 * @param options `appName` is for a draft that names no app
 * @throws {ClientError} `SOUND_UNREADABLE`; `TOTAL_TOO_LARGE` before any hashing
 */
export async function preparePackage(
  draft: PackageDraft,
  { appName, ...options }: HashOptions & { readonly appName?: string | undefined } = {},
): Promise<OutgoingPackage> {
  const described = describePackage(draft, appName);
  checkTotal(described.sounds);
  return hashPackage(described, options);
}

/**
 * Prepares a package for its announcement: checks the sounds, then the pairing and the room, then hashes, so that
 * whatever fails early costs nothing.
 * @param isNew whether it was never announced before
 */
export async function prepareDescribed(
  run: SendRun,
  described: DescribedPackage,
  isNew: boolean,
): Promise<OutgoingPackage> {
  const { calls, options, hashSettings } = run;
  run.enter("hashing");
  checkTotal(described.sounds);
  const { findProblems, findRoomFault } = await run.retry(loadChecks);
  refuseProblems(await findProblems(described.sounds));
  const me = await run.retry(() => calls.me({ signal: options.signal }));
  // The relay holds the room of a package that was announced before.
  const fault = isNew ? findRoomFault(me, sumOfBytes(described.sounds)) : undefined;
  if (fault !== undefined) throw new ClientError(fault, { code: "ROOM_TOO_SMALL" });
  return run.retry(() => hashPackage(described, { ...options, ...hashSettings }));
}

/** Hashes the files of a package one after another. */
async function hashPackage(
  { head, sounds }: DescribedPackage,
  { onProgress, signal, ...settings }: HashOptions,
): Promise<OutgoingPackage> {
  const sizes = new Map(sounds.map(({ file, blob }) => [file, blob.size]));
  const names = soundNamesOf({ items: sounds.map(({ item }) => item) });
  const count = countBytes("hashing", names, sizes, onProgress);
  const hasher = new Hasher(settings);
  try {
    const items = [];
    for (const { file, item, blob } of sounds) {
      const sha256 = await hasher.hash(blob, { signal, onProgress: (bytes) => count(file, bytes) });
      items.push({ ...item, bytes: blob.size, sha256 });
    }
    return {
      manifest: { ...head, items },
      sounds: new Map(sounds.map(({ file, blob }) => [file, blob])),
    };
  } finally {
    hasher.end();
  }
}

/** @throws {ClientError} `TOTAL_TOO_LARGE` */
function checkTotal(sounds: readonly DescribedSound[]): void {
  if (sumOfBytes(sounds) <= MAX_PACKAGE_BYTES) return;
  const sentence = `These sounds are too large together: a package can have at most ${PACKAGE_SIZE}.`;
  throw new ClientError(sentence, { code: "TOTAL_TOO_LARGE" });
}

/** @throws {ClientError} `SOUNDS_REFUSED` with every bad sound in `problems` */
function refuseProblems(problems: readonly SoundProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const sentences = problems.map(({ error }) => error).join(" ");
  const sentence =
    problems.length === 1 ? sentences : `${problems.length} sounds can't be sent. ${sentences}`;
  const { error: _, ...about } = first;
  throw new ClientError(sentence, { ...about, code: "SOUNDS_REFUSED", problems });
}

/** Returns the size of all sounds together. */
export function sumOfBytes(sounds: readonly DescribedSound[]): number {
  return sounds.reduce((sum, { blob }) => sum + blob.size, 0);
}
