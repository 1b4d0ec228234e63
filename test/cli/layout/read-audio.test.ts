import { mkdir, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAudio } from "../../../cli/layout/read-audio.ts";
import { readPackageFolder } from "../../../cli/layout/read-package-folder.ts";
import { parseEnvelope, PeakEnvelope } from "../../../core/audio/peak-envelope.ts";
import { peaksOf } from "../../../core/audio/peaks.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { digestOf, plantPackage, tone } from "./planted-faults.ts";

async function plantedKick() {
  const folder = join(await temporaryFolder(), "kit");
  await mkdir(folder);
  const planted = await plantPackage(folder);
  const read = async () => {
    const { local, headers } = await readPackageFolder(folder);
    const [sound] = local.manifest.items;
    const header = headers.get(sound?.id ?? "");
    if (sound === undefined || header === undefined || "error" in header)
      throw new Error("No WAV.");
    return {
      again: () => readAudio(local, sound, header),
      audio: await readAudio(local, sound, header),
    };
  };
  return { planted, read };
}

test("[B6] the hashes are those of the audio, of the other bytes and of the whole file", async () => {
  const { planted, read } = await plantedKick();
  const { audio } = await read();
  const bytes = await planted.read("kick.wav");
  const end = 44 + 44_100 * 3;
  expect(audio.json).toMatchObject({
    sha256: digestOf(bytes.subarray(44, end)).sha256,
    chunks_sha256: digestOf(Buffer.concat([bytes.subarray(0, 44), bytes.subarray(end)])).sha256,
    bytes: bytes.length,
    frames: 44_100,
  });
  expect(audio.fileSha256).toBe(digestOf(bytes).sha256);
});

test("[B6] the envelope has the peaks of 512 columns, however the audio is cut into pieces", async () => {
  const samples = Float32Array.from(tone(44_100, 0.01));
  const quieter = samples.map((sample) => sample / 2);
  const expected = peaksOf([quieter, samples], 512);
  for (const pieceFrames of [1, 777, 44_100]) {
    const envelope = new PeakEnvelope(samples.length, 512);
    for (let at = 0; at < samples.length; at += pieceFrames) {
      envelope.add([quieter, samples].map((one) => one.subarray(at, at + pieceFrames)));
    }
    const peaks = parseEnvelope(envelope.format());
    expect(peaks).toEqual(expected.map((peak) => Math.ceil(peak * 255) / 255));
  }
  const short = new PeakEnvelope(3, 512);
  short.add([Float32Array.of(0, -2, 0.001)]);
  expect(short.format()).toBe("00ff01");
});

test("[B6] a file that changes while it is read is no sound", async () => {
  const { planted, read } = await plantedKick();
  const { again } = await read();
  await truncate(planted.pathOf("kick.wav"), 1000);
  await expect(again()).rejects.toThrow("kick.wav changed while it was read. Try again.");
});
