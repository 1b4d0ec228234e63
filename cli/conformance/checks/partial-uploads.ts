import type { Check } from "../check.ts";
import { assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import { LeftOut } from "../assertion-failure.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { digestOf, makeWav } from "../sounds.ts";
import type { Answer } from "../answer.ts";

const WAV = makeWav({ fill: 1 });
/** The first file of every package in these checks. */
const FILE = "one.wav";
const HALF = Math.floor(WAV.length / 2);
/** The draft's version that the contract names. */
const INTEROP = { "upload-draft-interop-version": "8" };

/** Uploads in parts: an optional part of the contract. Skipped for a relay that can't resume. */
export const PARTIAL_UPLOAD_CHECKS: readonly Check[] = [
  {
    id: "partial-offset",
    rule: "U10",
    title: "a part is 204, and HEAD tells how much has arrived, without a cache",
    run: resuming(async (kit, made) => {
      const { headers } = await head(kit, made);
      assertSame(headers["upload-offset"], String(HALF), "Upload-Offset");
      assertSame(headers["upload-complete"], "?0", "Upload-Complete");
      assertSame(headers["upload-length"], String(WAV.length), "Upload-Length");
      assertSame(headers["cache-control"], "no-store", "Cache-Control");
    }),
  },
  {
    id: "partial-completes",
    rule: "U10",
    title: "the last part is answered like a PUT, and HEAD says that the file is complete",
    run: resuming(async (kit, made) => {
      const answer = await append(kit, made, { offset: HALF });
      assertStatus(answer, 200);
      const wanted = { file: FILE, bytes: WAV.length, sha256: digestOf(WAV) };
      assertSame(answer.json, wanted, "The answer to the last part");
      const { headers } = await head(kit, made);
      assertSame(headers["upload-offset"], String(WAV.length), "Upload-Offset");
      assertSame(headers["upload-complete"], "?1", "Upload-Complete");
    }),
  },
  {
    id: "partial-elsewhere",
    rule: "U10",
    title: "a part that begins elsewhere is 409 with the right offset",
    run: resuming(async (kit, made) => {
      const answer = await append(kit, made, { offset: HALF - 1 });
      assertRefusal(answer, "UPLOAD_OFFSET_DIFFERS");
      assertSame(answer.headers["upload-offset"], String(HALF), "Upload-Offset");
      assertSame(partOf(answer.json, "expected-offset"), HALF, "expected-offset");
    }),
  },
  {
    id: "partial-refused",
    rule: "U10",
    title: "a file whose checksum differs is 422, and starts again",
    run: resuming(async (kit, made) => {
      const body = makeWav({ fill: 9 }).subarray(HALF);
      assertRefusal(await append(kit, made, { offset: HALF, body }), "CHECKSUM_DIFFERS");
      assertSame((await head(kit, made)).headers["upload-offset"], "0", "Upload-Offset");
    }),
  },
  {
    id: "partial-newest-wins",
    rule: "U10",
    title: "HEAD ends an append that still runs, and what arrived stays",
    run: resuming(async (kit, made) => {
      const { app, pathOf } = made;
      const headers = partHeaders(HALF, "?1", WAV.length - HALF);
      using call = kit.wire.open("PATCH", pathOf(FILE), { token: app.token, headers });
      const first = await ask(kit, made);
      // It may have come while HEAD was being answered, and ended that. The next HEAD is newer for certain.
      const answer = first.status === 409 ? await ask(kit, made) : first;
      assertStatus(answer, 204);
      const offset = Number(answer.headers["upload-offset"]);
      // It may have come later than HEAD. Then it still runs.
      call.abort();
      assertStatus(await append(kit, made, { offset }), 200);
    }),
  },
  {
    id: "partial-versions",
    rule: "U10",
    title: "another version of the draft is 400, and a PUT takes the file",
    run: resuming(async (kit, made) => {
      const version = { "upload-draft-interop-version": "7" };
      const answer = await append(kit, made, { offset: HALF, headers: version });
      assertRefusal(answer, "UPLOAD_VERSION_UNKNOWN");
      assertStatus(await kit.put(made, { file: FILE, bytes: WAV }), 200);
      assertSame((await head(kit, made)).headers["upload-complete"], "?1", "Upload-Complete");
    }),
  },
];

/** Runs a check on a package with half a file. @throws {LeftOut} if the relay can't resume one */
function resuming(run: (kit: Kit, made: TestPackage) => Promise<void>): Check["run"] {
  return (kit) =>
    kit.inTurn("uploads", async () => {
      const made = await kit.uploading([{ file: FILE, bytes: WAV }]);
      const first = await append(kit, made, { offset: 0, end: HALF });
      if (first.status !== 204) throw new LeftOut("This relay takes no files in parts.");
      const { headers } = await head(kit, made);
      if (headers["upload-offset"] === "0") throw new LeftOut("This relay can't resume a file.");
      await run(kit, made);
    });
}

function ask(kit: Kit, { app, pathOf }: TestPackage): Promise<Answer> {
  return kit.call("HEAD", pathOf(FILE), { token: app.token, headers: INTEROP });
}

async function head(kit: Kit, made: TestPackage): Promise<Answer> {
  const answer = await ask(kit, made);
  assertStatus(answer, 204);
  return answer;
}

interface Part {
  readonly offset: number;
  readonly end?: number;
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

function append(
  kit: Kit,
  { app, pathOf }: TestPackage,
  { offset, end = WAV.length, body = WAV.subarray(offset, end), headers }: Part,
): Promise<Answer> {
  const complete = end === WAV.length ? "?1" : "?0";
  return kit.call("PATCH", pathOf(FILE), {
    token: app.token,
    body,
    headers: { ...partHeaders(offset, complete, body.length), ...headers },
  });
}

function partHeaders(offset: number, complete: string, length: number): Record<string, string> {
  return {
    ...INTEROP,
    "content-type": "application/partial-upload",
    "content-length": String(length),
    "upload-offset": String(offset),
    "upload-complete": complete,
  };
}
