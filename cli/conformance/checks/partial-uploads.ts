import {
  assert,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  partOf,
} from "../assert.ts";
import type { Check } from "../check.ts";
import { LIMITS } from "../limits.ts";
import { digestOf } from "../sounds.ts";
import {
  append,
  ask,
  assertOffset,
  head,
  openAppend,
  PART_WAV as WAV,
  type PartialCheck,
  resuming,
} from "./partial-file.ts";
import { PARTIAL_REFUSALS } from "./partial-refusals.ts";

const HALF = Math.floor(WAV.length / 2);

const PROGRESS: readonly PartialCheck[] = [
  {
    id: "partial-fresh",
    title: "HEAD of a file of which nothing has arrived is 204 with the offset 0",
    run: (one) => assertOffset(one, 0),
  },
  {
    id: "partial-offset",
    title: "a part is 204, and HEAD tells how much has arrived, without a cache",
    sent: HALF,
    run: async (one) => {
      const { headers } = await head(one);
      assertSame(headers["upload-offset"], String(HALF), "Upload-Offset");
      assertSame(headers["upload-complete"], "?0", "Upload-Complete");
      assertSame(headers["upload-length"], String(WAV.length), "Upload-Length");
      assertSame(headers["cache-control"], "no-store", "Cache-Control");
    },
  },
  {
    id: "partial-limit",
    title: "Upload-Limit says the announced size, and the seconds left",
    run: async (one) => {
      const limit = (await head(one)).headers["upload-limit"];
      assertMatches(limit, new RegExp(`(^|[,;] *)max-size=${WAV.length}([,;]|$)`), "Upload-Limit");
      assertMatches(limit, /(^|[,;] *)max-age=[1-9]\d*([,;]|$)/, "Upload-Limit");
    },
  },
  {
    id: "partial-options",
    title: "OPTIONS has Upload-Limit with the largest size of a file",
    run: async ({ kit, made, file }) => {
      const { headers } = await kit.call("OPTIONS", made.pathOf(file));
      const largest = new RegExp(`(^|[,;] *)max-size=${LIMITS.packageBytes}([,;]|$)`);
      assertMatches(headers["upload-limit"], largest, "Upload-Limit");
    },
  },
  {
    id: "partial-steps",
    title: "each part is answered with the offset that HEAD tells, and offsets never fall",
    run: async (one) => {
      let offset = 0;
      for (const end of [1, 12, 13, 50, HALF]) {
        const answer = await append(one, { offset, end });
        assertStatus(answer, 204);
        assertSame(answer.headers["upload-offset"], String(end), "Upload-Offset");
        assertSame(answer.headers["upload-complete"], "?0", "Upload-Complete");
        await assertOffset(one, end);
        offset = end;
      }
      assertStatus(await append(one, { offset }), 200);
    },
  },
  {
    id: "partial-completes",
    title: "the last part is answered like a PUT, and HEAD says that the file is complete",
    sent: HALF,
    run: async (one) => {
      const answer = await append(one, { offset: HALF });
      assertStatus(answer, 200);
      const wanted = { file: one.file, bytes: WAV.length, sha256: digestOf(WAV) };
      assertSame(answer.json, wanted, "The answer to the last part");
      await assertOffset(one, WAV.length, "?1");
      const { json } = await one.kit.status(one.made);
      assertSame(partOf(json, "files", one.file), "uploaded", "The file's state");
    },
  },
  {
    id: "partial-whole",
    title: "a part can be the whole file",
    run: async (one) => assertStatus(await append(one, { offset: 0 }), 200),
  },
  {
    id: "partial-empty-end",
    title: "all bytes can be there before the part that ends the file, which is then empty",
    run: async (one) => {
      assertStatus(await append(one, { offset: 0, complete: "?0" }), 204);
      await assertOffset(one, WAV.length);
      assertStatus(await append(one, { offset: WAV.length }), 200);
      await assertOffset(one, WAV.length, "?1");
    },
  },
  {
    id: "partial-newest-wins",
    title: "HEAD ends an append that still runs, and what arrived stays",
    sent: HALF,
    run: async (one) => {
      using call = openAppend(one, HALF);
      const first = await ask(one);
      // It may have come while HEAD was being answered, and ended that. The next HEAD is newer for certain.
      const answer = first.status === 409 ? await ask(one) : first;
      assertStatus(answer, 204);
      const offset = Number(answer.headers["upload-offset"]);
      // It may have come later than HEAD. Then it still runs.
      call.abort();
      assertStatus(await append(one, { offset }), 200);
    },
  },
  {
    id: "partial-broken-off",
    title: "after an append that broke off, what had arrived before is still there",
    sent: HALF,
    run: async (one) => {
      using call = openAppend(one, HALF);
      call.write(WAV.subarray(HALF, HALF + 20));
      call.abort();
      const offset = Number((await head(one)).headers["upload-offset"]);
      const isKept = offset >= HALF && offset <= HALF + 20;
      assert(isKept, `Upload-Offset is ${offset}; expected ${HALF} to ${HALF + 20}.`);
      assertStatus(await append(one, { offset }), 200);
    },
  },
  {
    id: "partial-withdrawn",
    title: "withdrawing the package deletes the partial file",
    sent: HALF,
    isAlone: true,
    run: async (one) => {
      assertStatus(await one.kit.withdraw(one.made), 200);
      assertStatus(await ask(one), 404);
      assertRefusal(await append(one, { offset: HALF }), "PACKAGE_UNKNOWN");
    },
  },
];

/** Uploads in parts: an optional part of the contract. Skipped for a relay that can't resume. */
export const PARTIAL_UPLOAD_CHECKS: readonly Check[] = resuming([...PROGRESS, ...PARTIAL_REFUSALS]);
