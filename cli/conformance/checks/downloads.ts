import { assert, assertRefusal, assertSame, assertStatus, partOf } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { digestOf, makeWav } from "../sounds.ts";
import type { Answer } from "../answer.ts";

const WAV = makeWav({ frames: 500, fill: 5 });
const ETAG = `"${digestOf(WAV)}"`;
const LAST = WAV.length - 1;

/** Downloads by the importer. */
export const DOWNLOAD_CHECKS: readonly Check[] = [
  {
    id: "download",
    rule: "I2",
    title: "a file comes whole, with its exact Content-Length",
    run: async (kit) => {
      const answer = await download(kit);
      assertStatus(answer, 200);
      assertSame(answer.headers["content-length"], String(WAV.length), "Content-Length");
      assertBytes(answer, WAV);
    },
  },
  {
    id: "download-etag",
    rule: "I2",
    title: "the ETag is the file's SHA-256",
    run: async (kit) => assertSame((await download(kit)).headers.etag, ETAG, "ETag"),
  },
  ...[
    { id: "rest", words: "to the end", range: "bytes=100-", start: 100, end: LAST },
    { id: "one", words: "of one byte", range: "bytes=0-0", start: 0, end: 0 },
    { id: "part", words: "in the middle", range: "bytes=10-19", start: 10, end: 19 },
    { id: "tail", words: "from the end", range: "bytes=-10", start: LAST - 9, end: LAST },
    { id: "beyond", words: "past the end", range: "bytes=10-99999", start: 10, end: LAST },
  ].map(({ id, words, range, start, end }): Check => ({
    id: `range-${id}`,
    rule: "I2",
    title: `a range ${words} is 206 with just its bytes`,
    run: async (kit) => {
      const answer = await download(kit, { range });
      assertStatus(answer, 206);
      assertSame(
        answer.headers["content-range"],
        `bytes ${start}-${end}/${WAV.length}`,
        "Content-Range",
      );
      assertSame(answer.headers["content-length"], String(end + 1 - start), "Content-Length");
      assertBytes(answer, WAV.subarray(start, end + 1));
    },
  })),
  {
    id: "range-outside",
    rule: "I2",
    title: "a range outside the file is 416 with the file's size",
    run: async (kit) => {
      const answer = await download(kit, { range: `bytes=${WAV.length}-` });
      assertRefusal(answer, "RANGE_WRONG");
      assertSame(answer.headers["content-range"], `bytes */${WAV.length}`, "Content-Range");
    },
  },
  {
    id: "if-range",
    rule: "I2",
    title: "If-Range with the ETag gets the range, with another the whole file",
    run: async (kit) => {
      const range = "bytes=100-";
      assertStatus(await download(kit, { range, "if-range": ETAG }), 206);
      const whole = await download(kit, { range, "if-range": '"another"' });
      assertStatus(whole, 200);
      assertBytes(whole, WAV);
    },
  },
  {
    id: "download-unknown-file",
    rule: "I2",
    title: "a file that the package does not have is 404",
    run: async (kit) => {
      const { made, token } = await waitingFile(kit);
      const path = `/importer/packages/${made.id}/files/no.wav`;
      assertRefusal(await kit.call("GET", path, { token }), "FILE_UNKNOWN");
    },
  },
];

/** All download checks share one package. */
async function waitingFile(kit: Kit) {
  return kit.share("download", async () => {
    const made = await kit.waiting([{ file: "My Sound.wav", bytes: WAV }]);
    const { token } = made.app.device;
    const listed = await kit.listedAs(made);
    return { made, token, path: String(partOf(listed, "files", "My Sound.wav")) };
  });
}

async function download(kit: Kit, headers: Record<string, string> = {}): Promise<Answer> {
  const { path, token } = await waitingFile(kit);
  return kit.call("GET", path, { token, headers });
}

function assertBytes({ asked, bytes }: Answer, wanted: Uint8Array): void {
  assert(bytes.equals(wanted), `${asked}: the bytes that came are not those of the file.`);
}
