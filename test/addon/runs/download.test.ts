import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DownloadOptions, receiveSound } from "../../../addon/runs/download.ts";
import { FetchFailure } from "../../../addon/runs/attempts.ts";
import { type PackageSource, relayPackage } from "../../../addon/packages/package-source.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { smallWav } from "../../wav-bytes.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";
import { IMPATIENCE, SILENCE_MS } from "./import-site.ts";
import { noise, SoundRelay } from "./sound-relay.ts";
import { readdir, readFile } from "node:fs/promises";

const WAV = noise(smallWav({ frames: 300_000 }), 1);
const FILE = "pkg_a-1.wav";

async function setUp(more: Readonly<Record<string, unknown>> = {}) {
  const relay = await SoundRelay.start();
  const folder = await temporaryFolder();
  const path = join(folder, "Kick.wav");
  const offered = relay.offer("pkg_a", "Kit", [{ name: "Kick", wav: WAV, more }]);
  const source = relayPackage(offered, relay.port());
  const receive = (options: Partial<DownloadOptions> = {}) => receiveFirst(source, path, options);
  return { relay, folder, path, source, receive };
}

async function receiveFirst(
  source: PackageSource,
  path: string,
  options: Partial<DownloadOptions>,
) {
  const [sound] = source.manifest.items;
  if (sound === undefined) throw new Error("There is no sound.");
  const received = await receiveSound(source, sound, path, {
    signal: new AbortController().signal,
    retryPolicy: IMPATIENCE,
    onBytes: () => undefined,
    ...options,
  });
  await received.finish();
  return received.header;
}

test("[F3] a sound gets its final name once it is complete and verified", async () => {
  const { path, folder, receive } = await setUp();
  const header = await receive();
  expect(header.frames).toBe(300_000);
  expect(await readFile(path)).toEqual(WAV);
  expect(await readdir(folder)).toEqual(["Kick.wav"]);
});

test("[F3] an unfinished sound has another name", async () => {
  const { source, path, folder } = await setUp();
  const [sound] = source.manifest.items;
  if (sound === undefined) throw new Error("There is no sound.");
  const options = {
    signal: new AbortController().signal,
    retryPolicy: IMPATIENCE,
    onBytes: () => {},
  };
  const received = await receiveSound(source, sound, path, options);
  expect(await readdir(folder)).toEqual(["Kick.wav.part"]);
  await received.finish();
  expect(await readdir(folder)).toEqual(["Kick.wav"]);
});

describe("a connection that breaks", () => {
  test("[F3] resumes where it stopped", async () => {
    const { relay, path, receive } = await setUp();
    relay.faults.set(FILE, [{ cutAfter: 200_000 }, { cutAfter: 100_000 }]);
    await receive();
    expect(await readFile(path)).toEqual(WAV);
    const [first, second, third] = relay.rangesOf(FILE);
    expect(first).toBeUndefined();
    expect(startOf(second)).toBeGreaterThan(0);
    expect(startOf(third)).toBeGreaterThan(startOf(second));
  });

  test("[F3] counts as broken after the read timeout", async () => {
    const { relay, path, receive } = await setUp();
    relay.faults.set(FILE, [{ stallAfter: 100_000 }]);
    const timers = new ManualTimers();
    let seenBytes = 0;
    const receiving = receive({
      retryPolicy: { ...IMPATIENCE, timers },
      onBytes: (bytes) => void (seenBytes = bytes),
    });
    await until(() => seenBytes === 100_000 && timers.remaining.length === 1);
    timers.advance(SILENCE_MS);
    await receiving;
    expect(await readFile(path)).toEqual(WAV);
    expect(startOf(relay.rangesOf(FILE)[1])).toBe(100_000);
  });

  test("[F3] gives up after four attempts without progress and keeps the received bytes", async () => {
    const { relay, folder, receive } = await setUp();
    relay.spoil(FILE, { cutAfter: 1000 }, 4);
    await expect(receive()).rejects.toThrow(FetchFailure);
    expect(relay.requests).toHaveLength(4);
    expect((await readFile(join(folder, "Kick.wav.part"))).length).toBe(4000);
  });

  test("[L1] waits for the relay's Retry-After when it is rate limited", async () => {
    const { relay, path, receive } = await setUp();
    relay.faults.set(FILE, [{ status: 429, retryAfterSeconds: 42 }]);
    const pauses: number[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    await receive({ retryPolicy: { ...IMPATIENCE, pause } });
    expect(pauses).toEqual([42_000]);
    expect(await readFile(path)).toEqual(WAV);
  });

  test("[F3] doesn't retry a file that the relay doesn't have", async () => {
    const { relay, receive } = await setUp();
    relay.faults.set(FILE, [{ status: 404, code: "FILE_UNKNOWN" }]);
    await expect(receive()).rejects.toThrow("No such file.");
    expect(relay.requests).toHaveLength(1);
  });
});

describe("a partial file of an earlier run", () => {
  test("[F3] is resumed after its bytes went through the checksum", async () => {
    const { relay, path, receive } = await setUp();
    await writeFile(`${path}.part`, WAV.subarray(0, 150_000));
    const seen: number[] = [];
    await receive({ onBytes: (bytes) => seen.push(bytes) });
    expect(relay.rangesOf(FILE)).toEqual(["bytes=150000-"]);
    expect(await readFile(path)).toEqual(WAV);
    expect(seen[0]).toBe(150_000);
    expect(seen.at(-1)).toBe(WAV.length);
  });

  test("[F3] isn't requested again when it is complete", async () => {
    const { relay, path, receive } = await setUp();
    await writeFile(`${path}.part`, WAV);
    await receive();
    expect(relay.requests).toEqual([]);
    expect(await readFile(path)).toEqual(WAV);
  });

  test.each([
    ["spoilt in the middle", () => Buffer.concat([WAV.subarray(0, 1000), Buffer.alloc(5000)])],
    ["no WAV at all", () => Buffer.from("<html>not found</html>".repeat(10))],
    ["longer than the file", () => Buffer.concat([WAV, Buffer.alloc(4000, 1)])],
    [
      "as long as the file but another",
      () => Buffer.concat([WAV.subarray(0, 44), Buffer.alloc(600_000)]),
    ],
  ])("[F3] does no harm when it is %s", async (_, part) => {
    const { path, folder, receive } = await setUp();
    await writeFile(`${path}.part`, part());
    await receive();
    expect(await readFile(path)).toEqual(WAV);
    expect(await readdir(folder)).toEqual(["Kick.wav"]);
  });

  test("[F3] starts over if the relay ignores the range", async () => {
    const { relay, path, receive } = await setUp();
    await writeFile(`${path}.part`, WAV.subarray(0, 150_000));
    relay.faults.set(FILE, [{ startAt: 0 }]);
    await receive();
    expect(relay.requests).toHaveLength(1);
    expect(await readFile(path)).toEqual(WAV);
  });
});

test("[F3] retries when the relay answers with another range", async () => {
  const { relay, path, receive } = await setUp();
  relay.faults.set(FILE, [{ startAt: 1000 }]);
  await receive();
  expect(relay.requests).toHaveLength(2);
  expect(await readFile(path)).toEqual(WAV);
});

describe("a relay that lies", () => {
  const other = noise(smallWav({ frames: 300_000 }), 2);
  test.each([
    ["other bytes", other, "pkg_a-1.wav: checksum doesn't match the announced one."],
    ["no WAV", Buffer.alloc(WAV.length), "pkg_a-1.wav: not a WAV file. Export it as WAV."],
    [
      "too many bytes",
      Buffer.concat([WAV, Buffer.alloc(1)]),
      "pkg_a-1.wav: received 600045 bytes, expected 600044.",
    ],
  ])("[F3] sending %s leaves nothing on the disk", async (_, instead, sentence) => {
    const { relay, folder, receive } = await setUp();
    relay.faults.set(FILE, [{ instead }]);
    await expect(receive()).rejects.toThrow(sentence);
    expect(await readdir(folder)).toEqual([]);
  });

  test("[F3] that sends too few bytes is asked for the rest", async () => {
    const { relay, path, receive } = await setUp();
    relay.faults.set(FILE, [{ instead: WAV.subarray(0, 500_000) }]);
    await receive();
    expect(relay.rangesOf(FILE)).toEqual([undefined, "bytes=500000-"]);
    expect(await readFile(path)).toEqual(WAV);
  });
});

describe("a file that is there already", () => {
  test("[F3] isn't fetched again when it verifies", async () => {
    const { relay, path, receive } = await setUp();
    await writeFile(path, WAV);
    const header = await receive();
    expect(header.frames).toBe(300_000);
    expect(relay.requests).toEqual([]);
  });

  test("[F3] is replaced when it is another", async () => {
    const { path, receive } = await setUp();
    await writeFile(path, noise(smallWav({ frames: 300_000 }), 3));
    await receive();
    expect(await readFile(path)).toEqual(WAV);
  });
});

test("[F3] a canceled download keeps the received bytes", async () => {
  const { relay, folder, receive } = await setUp();
  relay.faults.set(FILE, [{ stallAfter: 100_000 }]);
  const callOff = new AbortController();
  const receiving = receive({
    signal: callOff.signal,
    onBytes: (bytes) => void (bytes === 100_000 && callOff.abort(new Error("called off"))),
  });
  await expect(receiving).rejects.toThrow("called off");
  expect(await readdir(folder)).toEqual(["Kick.wav.part"]);
  expect(await readFile(join(folder, "Kick.wav.part"))).toEqual(WAV.subarray(0, 100_000));
});

test("[F3] a wrong sound is refused with the code of an upload's refusal", async () => {
  const { relay, receive } = await setUp();
  relay.faults.set(FILE, [{ instead: noise(smallWav({ frames: 300_000 }), 4) }]);
  const error = await receive().catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Refusal);
  expect(error).toMatchObject({ code: "CHECKSUM_DIFFERS" });
});

function startOf(range: string | undefined): number {
  return Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1]);
}
