import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SoundCheck } from "../../../core/audio/sound-check.ts";
import type { Sound } from "../../../core/manifest/manifest.ts";
import { hashHere } from "../../../program/hashing/hash-here.ts";
import { smallWav } from "../../wav-bytes.ts";
import { sampleSound } from "../layout/sample-package.ts";

const WAV = smallWav({ frames: 100 });
const DIGEST = {
  bytes: WAV.length,
  sha256: createHash("sha256").update(WAV).digest("hex"),
};

/** Checks a WAV that arrives in two pieces. */
async function check(sound: Partial<Sound>, bytes: Uint8Array, fileBytes = bytes.length) {
  const checked = new SoundCheck(sampleSound(sound), fileBytes, hashHere);
  await checked.push(bytes.subarray(0, 10));
  await checked.push(bytes.subarray(10));
  return { header: await checked.end(), digest: checked.digest };
}

test("[F3] a sound has its header and its digest only once all of its bytes are there", async () => {
  expect(await check(DIGEST, WAV)).toMatchObject({ header: { frames: 100 }, digest: DIGEST });
  const cut = WAV.subarray(0, -2);
  await expect(check(DIGEST, cut, WAV.length)).rejects.toMatchObject({ code: "SIZE_DIFFERS" });
  await expect(check(DIGEST, cut)).rejects.toMatchObject({ code: "SIZE_DIFFERS" });
  await expect(check({}, WAV, WAV.length - 2)).rejects.toMatchObject({ code: "SIZE_DIFFERS" });
});

test("[U4] other bytes than announced, or none of a WAV, are refused", async () => {
  const other = Buffer.from(WAV);
  other[other.length - 1] = 1;
  await expect(check(DIGEST, other)).rejects.toMatchObject({ code: "CHECKSUM_DIFFERS" });
  await expect(check({}, Buffer.alloc(200))).rejects.toMatchObject({ code: "WAV_NOT_RIFF" });
});
