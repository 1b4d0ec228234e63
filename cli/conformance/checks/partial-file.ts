import { type Answer, isSuccess } from "../answer.ts";
import { assertSame, assertStatus } from "../assert.ts";
import { LeftOut } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { makeWav, type Sound } from "../sounds.ts";
import type { OpenCall } from "../wire.ts";

/** Every file that is sent in parts. */
export const PART_WAV = makeWav({ fill: 1 });
/** A WAV as long, with other audio. */
export const OTHER_WAV = makeWav({ fill: 9 });
/** The draft's version that the contract names. */
export const INTEROP = { "upload-draft-interop-version": "8" };

/** A file of a package that is sent in parts. */
export interface PartialFile {
  readonly kit: Kit;
  readonly made: TestPackage;
  readonly file: string;
}

/** A check of an upload in parts, with a file of its own. */
export interface PartialCheck extends Pick<Check, "id" | "title"> {
  /** The bytes that have arrived before. Default: none. */
  readonly sent?: number;
  /** Set if the file has a package of its own. */
  readonly isAlone?: true;
  readonly run: (one: PartialFile) => Promise<void>;
}

/** The file with which the kit finds out whether the relay takes parts. */
const PROBE = "probe";

/** Gives each check its file. All but those alone share a package. */
export function resuming(checks: readonly PartialCheck[]): readonly Check[] {
  const files = [...checks.map(({ id }) => id), PROBE].map((name) => soundOf(name));
  const announce = (kit: Kit) => kit.share("files in parts", () => kit.uploading(files));
  const probe = (kit: Kit) =>
    kit.share("can resume", async () =>
      findWhetherItResumes({ kit, made: await announce(kit), file: soundOf(PROBE).file }),
    );
  return checks.map(({ id, title, sent = 0, isAlone, run }) => ({
    id,
    rule: "U10",
    title,
    run: (kit) =>
      kit.inTurn("uploads", async () => {
        await probe(kit);
        const sound = soundOf(id);
        const made = isAlone ? await kit.uploading([sound]) : await announce(kit);
        const one = { kit, made, file: sound.file };
        if (sent > 0) {
          const first = await append(one, { offset: 0, end: sent });
          assertStatus(first, sent === PART_WAV.length ? 200 : 204);
        }
        await run(one);
      }),
  }));
}

function soundOf(name: string): Sound {
  return { file: `${name}.wav`, bytes: PART_WAV };
}

/** @throws {LeftOut} if the relay takes no parts, or its store can't continue a file */
async function findWhetherItResumes(one: PartialFile): Promise<void> {
  const { status } = await append(one, { offset: 0, end: 100 });
  if (isSuccess(status)) return;
  const answer = await ask(one);
  const isKnown = answer.status < 300 && answer.headers["upload-offset"] !== undefined;
  if (!isKnown) throw new LeftOut("This relay takes no files in parts.");
  if (status === 422) throw new LeftOut("This relay can't resume a file.");
}

/** Asks how far the file has arrived. */
export function ask({ kit, made, file }: PartialFile): Promise<Answer> {
  return kit.call("HEAD", made.pathOf(file), { token: made.app.token, headers: INTEROP });
}

/** The same. @throws {AssertionFailure} if it isn't 204 */
export async function head(one: PartialFile): Promise<Answer> {
  const answer = await ask(one);
  assertStatus(answer, 204);
  return answer;
}

/** Checks how far the file has arrived. */
export async function assertOffset(
  one: PartialFile,
  offset: number,
  complete = "?0",
): Promise<void> {
  const { headers } = await head(one);
  assertSame(headers["upload-offset"], String(offset), "Upload-Offset");
  assertSame(headers["upload-complete"], complete, "Upload-Complete");
}

interface Part {
  readonly offset: number;
  readonly end?: number;
  readonly body?: Uint8Array;
  /** Default: `?1` if the part reaches the end. */
  readonly complete?: string;
  readonly isChunked?: boolean;
  /** Overrides headers; what is undefined isn't sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Sends a part of `PART_WAV`, or of other bytes. */
export function append({ kit, made, file }: PartialFile, part: Part): Promise<Answer> {
  const { offset, end = PART_WAV.length, body = PART_WAV.subarray(offset, end) } = part;
  const { complete = end === PART_WAV.length ? "?1" : "?0", isChunked = false } = part;
  const headers = Object.entries({ ...partHeaders(offset, complete), ...part.headers });
  return kit.call("PATCH", made.pathOf(file), {
    token: made.app.token,
    body,
    isChunked,
    headers: Object.fromEntries(
      headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  });
}

function partHeaders(offset: number, complete: string): Record<string, string> {
  return {
    ...INTEROP,
    "content-type": "application/partial-upload",
    "upload-offset": String(offset),
    "upload-complete": complete,
  };
}

/** Begins the last part of the file, whose body the caller writes. */
export function openAppend({ kit, made, file }: PartialFile, offset: number): OpenCall {
  const length = String(PART_WAV.length - offset);
  const headers = { ...partHeaders(offset, "?1"), "content-length": length };
  return kit.wire.open("PATCH", made.pathOf(file), { token: made.app.token, headers });
}
