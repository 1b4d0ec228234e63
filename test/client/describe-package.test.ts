import { writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ClientError } from "../../client/wire/client-error.ts";
import { describePackage } from "../../client/send/describe-package.ts";
import { hashSound } from "../../client/send/hash-sound.ts";
import { IN_NODE, soundFile } from "../../client/node/in-node.ts";
import { preparePackage } from "../../client/send/prepare-package.ts";
import type { SendProgress } from "../../client/send/send-options.ts";
import { parseManifest } from "../../core/manifest/parse-manifest.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";

const BYTES = new Uint8Array([1, 2, 3]);
const DIGEST = createHash("sha256").update(BYTES).digest("hex");

describe("a draft", () => {
  test("[W2] becomes a manifest that the relay accepts without a warning", async () => {
    const { manifest, sounds } = await preparePackage(
      {
        title: "Take one",
        appVersion: "1.2",
        bpm: 120,
        sounds: [
          {
            source: new File([BYTES], "Drums 120.wav"),
            id: "drums",
            kind: "loop",
            role: "drums",
            bpm: 60,
            lengthBeats: 4,
            warpMode: "complex_pro",
            color: "#FF0000",
            gainDb: -3,
          },
          { source: BYTES, file: "hit.wav", name: "Hit" },
          { source: BYTES.buffer },
        ],
      },
      { appName: "Looper" },
    );
    expect(manifest).toEqual({
      schema: "app2host/1",
      title: "Take one",
      source: { app: "Looper", app_version: "1.2" },
      tempo: { bpm: 120 },
      items: [
        {
          file: "Drums 120.wav",
          bytes: 3,
          sha256: DIGEST,
          id: "drums",
          name: "Drums 120",
          kind: "loop",
          role: "drums",
          bpm: 60,
          length_beats: 4,
          warp_mode: "complex_pro",
          color: "#FF0000",
          gain_db: -3,
        },
        { file: "hit.wav", bytes: 3, sha256: DIGEST, name: "Hit" },
        { file: "sound-3.wav", bytes: 3, sha256: DIGEST },
      ],
    });
    expect(parseManifest(manifest, { packageId: "pkg_1" }).warnings).toEqual([]);
    expect([...sounds.keys()]).toEqual(["Drums 120.wav", "hit.wav", "sound-3.wav"]);
    expect(await sounds.get("sound-3.wav")?.bytes()).toEqual(BYTES);
  });

  test("[W2] gets a unique name for each file without a usable one", () => {
    const sources = ["Größe.wav", "kick.wav", "kick.wav", "take.flac", ""];
    const { sounds } = describePackage(
      {
        sounds: [
          ...sources.map((name) => ({ source: new File([BYTES], name) })),
          { source: BYTES, file: "sound-3.wav" },
        ],
      },
      undefined,
    );
    expect(sounds.map(({ file }) => file)).toEqual([
      "sound-1.wav",
      "kick.wav",
      "again-sound-3.wav",
      "sound-4.wav",
      "sound-5.wav",
      "sound-3.wav",
    ]);
    const names = sounds.map(({ item }) => item["name"]);
    expect(names).toEqual(["Größe", "kick", "kick", "take", undefined, undefined]);
  });

  test("[W2] keeps the bytes as they were when it was given", async () => {
    const changing = new Uint8Array(BYTES);
    const { sounds } = describePackage({ sounds: [{ source: changing }] }, undefined);
    changing.fill(9);
    expect(await sounds[0]?.blob.bytes()).toEqual(BYTES);
  });

  test("[W2] is refused with the sound's position when a source has no bytes", () => {
    const path = "kick.wav" as unknown as Blob;
    const draft = { sounds: [{ source: BYTES }, { source: path }] };
    const sentence = "Sound 2 has no bytes: its source must be a Blob, a File or bytes.";
    expect(() => describePackage(draft, undefined)).toThrow(
      new ClientError(sentence, { code: "SOUND_UNREADABLE" }),
    );
  });
});

describe("hashing", () => {
  const large = Buffer.alloc(2_500_000, "soundferry");

  test("[W3] reads pieces of 1 MiB and reports the progress of the whole package", async () => {
    const progress: SendProgress[] = [];
    const { manifest } = await preparePackage(
      {
        sounds: [
          { source: large, file: "a.wav", id: "amen", name: "Amen" },
          { source: BYTES, file: "b.wav" },
        ],
      },
      { ...IN_NODE, onProgress: (step) => progress.push(step) },
    );
    const sha256 = createHash("sha256").update(large).digest("hex");
    expect(manifest).toMatchObject({ items: [{ bytes: 2_500_000, sha256 }, { sha256: DIGEST }] });
    const hashing = { phase: "hashing", totalBytes: 2_500_003 };
    const first = { ...hashing, id: "amen", name: "Amen", file: "a.wav" };
    const second = { ...hashing, id: "2", name: "b.wav", file: "b.wav" };
    expect(progress).toEqual([
      { ...first, fileBytes: 1_048_576, doneBytes: 1_048_576 },
      { ...first, fileBytes: 2_097_152, doneBytes: 2_097_152 },
      { ...first, fileBytes: 2_500_000, doneBytes: 2_500_000 },
      { ...second, fileBytes: 3, doneBytes: 2_500_003 },
    ]);
  });

  test("[W3] reads at most 1 MiB of a Blob at once", async () => {
    const asked: number[] = [];
    class WatchedBlob extends Blob {
      override slice(start = 0, end = this.size): Blob {
        asked.push(end - start);
        return super.slice(start, end);
      }
    }
    await hashSound(new WatchedBlob([large]), IN_NODE);
    expect(asked).toEqual([1_048_576, 1_048_576, 1_048_576]);
  });

  test("[W3] gives the same result with Node's own hash", async () => {
    const sound = new Blob([large]);
    expect(await hashSound(sound, IN_NODE)).toBe(await hashSound(sound));
  });

  test("[W3] stops when its signal aborts", async () => {
    const stop = new AbortController();
    const hashing = hashSound(new Blob([large]), {
      ...IN_NODE,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("Stopped by hand.")),
    });
    await expect(hashing).rejects.toThrow("Stopped by hand.");
  });
});

describe("a file on disk", () => {
  test("[W2] is a File with its own name, read on demand", async () => {
    const path = join(await temporaryFolder(), "kick.wav");
    await writeFile(path, BYTES);
    const file = await soundFile(path);
    expect(file.name).toBe("kick.wav");
    expect(await hashSound(file)).toBe(DIGEST);
    await writeFile(path, "longer than before");
    await expect(hashSound(file)).rejects.toMatchObject({ code: "SOUND_UNREADABLE" });
  });

  test("[W2] is named in the error when it does not exist", async () => {
    await expect(soundFile("/nowhere/kick.wav")).rejects.toMatchObject({
      code: "SOUND_UNREADABLE",
      message: "/nowhere/kick.wav can't be read.",
    });
  });
});
