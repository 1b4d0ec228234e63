import { assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import {
  append,
  assertOffset,
  INTEROP,
  OTHER_WAV,
  PART_WAV as WAV,
  type PartialCheck,
} from "./partial-file.ts";

const HALF = Math.floor(WAV.length / 2);
const MISMATCHING = "https://iana.org/assignments/http-problem-types#mismatching-upload-offset";

/** Parts that are refused, and what becomes of the partial file. */
export const PARTIAL_REFUSALS: readonly PartialCheck[] = [
  {
    id: "partial-elsewhere",
    title: "a part that begins elsewhere is 409 with the right offset",
    sent: HALF,
    run: async (one) => {
      for (const offset of [HALF - 1, HALF + 1, 0, 2 ** 49]) {
        const answer = await append(one, { offset });
        assertRefusal(answer, "UPLOAD_OFFSET_DIFFERS");
        assertSame(answer.headers["upload-offset"], String(HALF), "Upload-Offset");
        assertSame(answer.headers["upload-complete"], "?0", "Upload-Complete");
        assertSame(partOf(answer.json, "expected-offset"), HALF, "expected-offset");
        assertSame(partOf(answer.json, "provided-offset"), offset, "provided-offset");
        assertSame(partOf(answer.json, "type"), MISMATCHING, "type");
      }
      await assertOffset(one, HALF);
    },
  },
  {
    id: "partial-after-end",
    title: "after the last part, a part that begins earlier is 409 with the file's size",
    sent: WAV.length,
    run: async (one) => {
      const answer = await append(one, { offset: HALF });
      assertRefusal(answer, "UPLOAD_OFFSET_DIFFERS");
      assertSame(answer.headers["upload-offset"], String(WAV.length), "Upload-Offset");
      assertSame(answer.headers["upload-complete"], "?1", "Upload-Complete");
      await assertOffset(one, WAV.length, "?1");
    },
  },
  {
    id: "partial-type",
    title: "a part with another Content-Type, or none, is 415, and adds nothing",
    sent: HALF,
    run: async (one) => {
      for (const type of ["application/partial-uploads", "audio/wav", undefined]) {
        const answer = await append(one, { offset: HALF, headers: { "content-type": type } });
        assertRefusal(answer, "UPLOAD_TYPE_WRONG");
      }
      await assertOffset(one, HALF);
    },
  },
  ...(
    [
      ["upload-complete", [undefined, "1", "?2", "true", ""]],
      ["upload-offset", [undefined, "-1", "1.5", "1e2", "half", "", "0, 0", "9".repeat(16)]],
    ] as const
  ).map(([header, values]): PartialCheck => ({
    id: `partial-${header}-wrong`,
    title: `a part without a valid ${header} is 400, and adds nothing`,
    sent: HALF,
    run: async (one) => {
      for (const value of values) {
        const answer = await append(one, { offset: HALF, headers: { [header]: value } });
        assertRefusal(answer, "UPLOAD_HEADERS_WRONG");
      }
      await assertOffset(one, HALF);
    },
  })),
  ...([true, false] as const).map((isChunked): PartialCheck => ({
    id: isChunked ? "partial-past-end-chunked" : "partial-past-end",
    title: `a part past the announced size${isChunked ? ", without Content-Length," : ""} is 422, and the file starts again`,
    sent: HALF,
    run: async (one) => {
      const body = Buffer.concat([WAV.subarray(HALF), Buffer.alloc(2)]);
      const answer = await append(one, { offset: HALF, body, complete: "?0", isChunked });
      assertRefusal(answer, "SIZE_DIFFERS");
      await assertOffset(one, 0);
    },
  })),
  {
    id: "partial-too-short",
    title: "a last part that ends before the announced size is 422, and the file starts again",
    sent: HALF,
    run: async (one) => {
      const answer = await append(one, { offset: HALF, end: WAV.length - 1, complete: "?1" });
      assertRefusal(answer, "SIZE_DIFFERS");
      await assertOffset(one, 0);
    },
  },
  {
    id: "partial-refused",
    title: "a file whose checksum differs is 422, and starts again",
    sent: HALF,
    run: async (one) => {
      const body = OTHER_WAV.subarray(HALF);
      assertRefusal(await append(one, { offset: HALF, body }), "CHECKSUM_DIFFERS");
      await assertOffset(one, 0);
      const { json } = await one.kit.status(one.made);
      assertSame(partOf(json, "files", one.file), "missing", "The file's state");
    },
  },
  {
    id: "partial-no-wav",
    title: "what is no WAV is 422 in parts, too",
    run: async (one) => {
      const body = Buffer.alloc(WAV.length, "No WAV. ");
      assertRefusal(await append(one, { offset: 0, body }), "WAV_NOT_RIFF");
      await assertOffset(one, 0);
    },
  },
  {
    id: "partial-versions",
    title: "another version of the draft is 400, and a PUT takes the file",
    sent: HALF,
    run: async (one) => {
      const { kit, made, file } = one;
      for (const version of ["7", undefined]) {
        const headers = { "upload-draft-interop-version": version };
        assertRefusal(await append(one, { offset: HALF, headers }), "UPLOAD_VERSION_UNKNOWN");
      }
      // An answer to HEAD has no code.
      assertStatus(await kit.call("HEAD", made.pathOf(file), { token: made.app.token }), 400);
      assertStatus(await kit.put(made, { file, bytes: WAV }), 200);
      await assertOffset(one, WAV.length, "?1");
    },
  },
  {
    id: "partial-put-refused",
    title: "a refused PUT deletes no partial file",
    sent: HALF,
    run: async (one) => {
      const put = await one.kit.put(one.made, { file: one.file, bytes: OTHER_WAV });
      assertRefusal(put, "CHECKSUM_DIFFERS");
      await assertOffset(one, HALF);
      assertStatus(await append(one, { offset: HALF }), 200);
    },
  },
  {
    id: "partial-of-another-app",
    title: "the partial file of another app is 404",
    sent: HALF,
    run: async (one) => {
      const { kit, made, file } = one;
      const apps = [await kit.app("first"), await kit.app("second")];
      const token = apps.find(({ appId }) => appId !== made.app.appId)?.token;
      const options = { token, headers: INTEROP };
      assertStatus(await kit.call("HEAD", made.pathOf(file), options), 404);
      await assertOffset(one, HALF);
    },
  },
];
