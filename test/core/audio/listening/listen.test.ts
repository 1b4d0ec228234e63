import { expect, test } from "vitest";
import { listen } from "../../../../core/audio/listening/listen.ts";
import { readSamples } from "../../../../core/audio/read-samples.ts";
import { readWavHeaderAt } from "../../../../core/audio/read-wav-header-at.ts";
import { encodeWav } from "../../../../fixtures/synth/wav-file.ts";
import { hearSamples } from "./heard-answers.ts";
import { readListeningTable, renderRow } from "./render-row.ts";

const HOUSE = readListeningTable("table.tsv")[4];

async function openRow(stereo: boolean) {
  if (HOUSE === undefined) throw new Error("no row");
  const samples = Float64Array.from(renderRow(HOUSE));
  const channels = stereo ? [samples, samples] : [samples];
  const file = encodeWav(channels, { rateHz: HOUSE.sampleRateHz, depth: "24" });
  const reads: number[] = [];
  const readAt = async (offset: number, length: number) => {
    reads.push(length);
    return file.subarray(offset, offset + length);
  };
  return { readAt, reads, header: await readWavHeaderAt(readAt, file.length, "a.wav") };
}

test("[Y10] a file is heard in pieces as its samples are, in stereo as in mono", async () => {
  for (const stereo of [false, true]) {
    const { readAt, reads, header } = await openRow(stereo);
    const heard = await listen(readAt, header);
    expect(heard).toMatchObject({ kind: "loop", lengthBeats: 16 });
    expect(heard.bpm).toBeCloseTo(97.3, 1);
    expect(Math.max(...reads)).toBeLessThanOrEqual(65_536 * 6);
  }
});

test("[Y10] of a sound over a minute nothing is read", async () => {
  const { readAt, reads, header } = await openRow(false);
  const before = reads.length;
  const long = { ...header, frames: header.sampleRateHz * 60 + 1 };
  expect(await listen(readAt, long)).toMatchObject({ kind: null, bpm: null });
  expect(reads).toHaveLength(before);
});

test("[Y10] silence, a click and noise say nothing about a tempo", () => {
  const silence = new Float32Array(44_100 * 2);
  expect(hearSamples(silence, 44_100).kind).toBeNull();
  const noise = Float32Array.from({ length: 44_100 * 3 }, (_, at) => Math.sin(at * at * 12.9898));
  expect(hearSamples(noise, 44_100)).toMatchObject({ kind: null, bpm: null });
  expect(hearSamples(new Float32Array(1), 44_100).bpm).toBeNull();
  const broken = Float32Array.from({ length: 44_100 }, () => Number.NaN);
  expect(hearSamples(broken, 44_100).bpm).toBeNull();
});

test("[Y10] listening takes at most 25 times the processor time of reading alone", async () => {
  const { readAt, header } = await openRow(true);
  const timeOf = async (run: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      // Time on the processor, because other tests run beside this one.
      const start = process.cpuUsage();
      await run();
      const { user, system } = process.cpuUsage(start);
      times.push(user + system);
    }
    return Math.min(...times);
  };
  let frames = 0;
  const reading = await timeOf(async () => {
    for await (const [left = []] of readSamples(readAt, header)) frames += left.length;
  });
  const listening = await timeOf(() => listen(readAt, header));
  expect(frames).toBe(header.frames * 8);
  expect(listening / reading).toBeLessThan(25);
});
