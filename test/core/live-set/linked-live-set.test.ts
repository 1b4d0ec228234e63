import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { checkLiveSet } from "../../../core/live-set/check/check-live-set.ts";
import { crc16 } from "../../../core/live-set/crc16.ts";
import { asLiveCompresses } from "../../../core/live-set/gzip-header.ts";
import { formatLinkedLiveSet, type LinkedWav } from "../../../core/live-set/linked-live-set.ts";
import { readClips } from "../../../core/live-set/read-clips.ts";
import { descend, numberAt, valueAt } from "../../../core/live-set/set-element.ts";
import { parseXmlTree } from "../../../core/live-set/xml-tree.ts";
import { layoutOf, LOOP, ONE_SHOT } from "../../contracts/host/host-contract.ts";
import { smallWav } from "../../wav-bytes.ts";
import { clipsIn } from "./made-set.ts";

async function linked(fileName: string, bits: number): Promise<LinkedWav> {
  const wav = smallWav({ frames: 44_138, sampleRateHz: 8000, bits });
  const readAt = async (offset: number, length: number) => wav.subarray(offset, offset + length);
  const header = await readWavHeaderAt(readAt, wav.length, fileName);
  const start = wav.subarray(0, 16_384);
  return { fileName, header, start, sizeBytes: wav.length, modifiedMs: 1_700_000_000_999 };
}

test("[LS7][LS8] a Set beside WAVs whose absolute paths aren't known names them from its own folder", async () => {
  const sounds = new Map([
    [LOOP.soundId, await linked("Beat 2.wav", 16)],
    [ONE_SHOT.soundId, await linked("Kick.wav", 32)],
  ]);
  const made = formatLinkedLiveSet("Kit: 2", layoutOf([LOOP, ONE_SHOT]), sounds);
  if (made === null) throw new Error("There is no Set.");
  expect([made.path, made.infoFolder]).toEqual([
    "Kit 2 Project/Kit 2.als",
    "Kit 2 Project/Ableton Project Info",
  ]);
  const document = parseXmlTree(made.text);
  expect(readClips(document.root)).toMatchObject([
    { clipName: "Beat", file: { relativeTo: 1, relativePath: "../Beat 2.wav" } },
  ]);
  const sample = descend(clipsIn(document.root)[0]?.clip, "SampleRef");
  expect(valueAt(sample, "FileRef", "Path")).toBe("");
  expect(numberAt(sample, "LastModDate")).toBe(1_700_000_000);
  expect(numberAt(sample, "FileRef", "OriginalCrc")).toBe(
    crc16(sounds.get(LOOP.soundId)?.start ?? new Uint8Array()),
  );
  expect(checkLiveSet(document).list.faults).toEqual([]);
  expect(formatLinkedLiveSet("Kit", layoutOf([ONE_SHOT]), sounds)).toBeNull();
});

test("[LS1] compressed bytes have no time and one system, from any compressor", () => {
  const bytes = gzipSync("<Ableton />");
  bytes.fill(7, 4, 8);
  bytes[9] = 10;
  const made = asLiveCompresses(bytes);
  expect([...made.subarray(3, 10)]).toEqual([0, 0, 0, 0, 0, bytes[8], 3]);
  expect(gunzipSync(made).toString()).toBe("<Ableton />");
});
