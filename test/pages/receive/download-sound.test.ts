import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { afterEach, expect, test, vi } from "vitest";
import { RELAY_MARK } from "../../../core/protocol/relay-mark.ts";
import type { DownloadTask } from "../../../pages/receive/importer/download/download-messages.ts";
import { downloadSound } from "../../../pages/receive/importer/download/download-sound.ts";
import { prepareHash } from "../../../pages/receive/importer/download/hash-in-worker.ts";
import { PartFile } from "../../../pages/receive/importer/download/part-file.ts";
import { smallWav } from "../../wav-bytes.ts";
import { MemoryHandle } from "./memory-handle.ts";

const WAV = smallWav({ frames: 1_000_000, fill: 7 });
const MARK = { [RELAY_MARK.name]: RELAY_MARK.value };

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Answers calls one after another; the last one stays. Returns the ranges that were asked for. */
function answering(...answers: readonly (() => Response)[]): readonly (string | null)[] {
  const ranges: (string | null)[] = [];
  vi.stubGlobal(
    "fetch",
    async (_path: string, { headers }: { readonly headers: Record<string, string> }) => {
      const answer = answers[Math.min(ranges.length, answers.length - 1)];
      ranges.push(new Headers(headers).get("range"));
      return answer?.();
    },
  );
  return ranges;
}

/** The relay's answer with a part of the sound. @param end the byte after which the connection breaks */
const part = (bytes: Uint8Array, start = 0, end = bytes.byteLength) => {
  const rest = bytes.subarray(start, end);
  const body = new ReadableStream({
    start: (stream) => {
      stream.enqueue(new Uint8Array(rest));
      if (end === bytes.byteLength) stream.close();
    },
    pull: (stream) => {
      if (end < bytes.byteLength) stream.error(new TypeError("cut"));
    },
  });
  const range = { "content-range": `bytes ${start}-${bytes.byteLength - 1}/${bytes.byteLength}` };
  const length = { "content-length": String(bytes.byteLength - start) };
  const headers = { ...MARK, ...length, "content-type": "audio/wav", ...(start > 0 && range) };
  return new Response(body, { status: start > 0 ? 206 : 200, headers });
};

/** Downloads `WAV` into a file. @param memoryBytes 0 hashes piece by piece */
function download(handle: MemoryHandle, memoryBytes = 2 ** 26) {
  const sha256 = createHash("sha256").update(WAV).digest("hex");
  const sound = {
    id: "1",
    file: "a.wav",
    name: "a",
    kind: "oneshot",
    bytes: WAV.byteLength,
    sha256,
  };
  const task = {
    sound: sound as DownloadTask["sound"],
    path: "/importer/packages/pkg_a/files/a.wav",
    headers: {},
    place: { folder: "pkg_a", name: "0" },
    needsCrc: true,
    memoryBytes,
  };
  const { signal } = new AbortController();
  const deps = { signal, onBytes: () => undefined, open: async () => handle, prepare: prepareHash };
  return downloadSound(task, deps);
}

const trouble = (why: object) => ({ trouble: expect.objectContaining(why) });

test.each([2 ** 26, 0])(
  "[RC5] a sound is proven and whole, with %s bytes of memory",
  async (memory) => {
    answering(() => part(WAV));
    const handle = new MemoryHandle();
    const { crc32: crc, header } = await download(handle, memory);
    expect(handle.bytes.equals(WAV)).toBe(true);
    expect([crc, header.frames]).toEqual([crc32(WAV), 1_000_000]);
  },
);

test.each([2 ** 26, 0])(
  "[RC5] the rest alone is asked for after a cut, with %s bytes",
  async (memory) => {
    const ranges = answering(
      () => part(WAV, 0, 1_500_000),
      () => part(WAV, 1_500_000),
    );
    const handle = new MemoryHandle();
    await expect(download(handle, memory)).rejects.toMatchObject(trouble({ why: "network" }));
    const { crc32: crc } = await download(handle, memory);
    expect(ranges).toEqual([null, "bytes=1500000-"]);
    expect(crc).toBe(crc32(WAV));
    expect(handle.bytes.equals(WAV)).toBe(true);
  },
);

test("[RC5] a relay that ignores the range sends it all again, and nothing is doubled", async () => {
  answering(
    () => part(WAV, 0, 1_500_000),
    () => part(WAV),
  );
  const handle = new MemoryHandle();
  await expect(download(handle)).rejects.toMatchObject(trouble({ why: "network" }));
  await download(handle);
  expect(handle.bytes.equals(WAV)).toBe(true);
});

test("[RC5] damaged bytes on the disk are replaced; content that is wrong twice is the sound's problem", async () => {
  const ranges = answering(() => part(WAV));
  const damaged = new MemoryHandle();
  damaged.bytes = smallWav({ frames: 1_000_000, fill: 8 });
  await download(damaged);
  expect(damaged.bytes.equals(WAV)).toBe(true);
  expect(ranges).toEqual([null]);
  answering(() => part(smallWav({ frames: 1_000_000, fill: 9 })));
  await expect(download(new MemoryHandle())).rejects.toMatchObject(trouble({ why: "sound" }));
});

test("[RC5][I6] what isn't the relay's answer, or isn't this sound, gives no bytes", async () => {
  const page = { ...MARK, "content-type": "text/html" };
  const foreign = () =>
    new Response(new Uint8Array(WAV), { headers: { "content-type": "audio/wav" } });
  const other = () => part(smallWav({ frames: 5 }));
  const refused = () =>
    new Response('{"error":"Gone","code":"FILE_UNKNOWN"}', { status: 404, headers: MARK });
  for (const [answer, why] of [
    [foreign, { why: "foreign", status: 200 }],
    [() => new Response("Sign in", { headers: page }), { why: "not-sound" }],
    [other, { why: "cut", code: "FILE_OTHER_PART" }],
    [refused, { why: "refused", status: 404 }],
  ] as const) {
    answering(answer);
    const handle = new MemoryHandle();
    await expect(download(handle)).rejects.toMatchObject(trouble(why));
    expect(new PartFile(handle, WAV.byteLength).seenBytes).toBe(0);
  }
});

test("[RC9] a browser without room says so", async () => {
  answering(() => part(WAV));
  const handle = new MemoryHandle();
  handle.roomBytes = 1_000_000;
  await expect(download(handle)).rejects.toMatchObject(trouble({ why: "room" }));
});
