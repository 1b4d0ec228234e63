import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { bundleElementFiles } from "../../../scripts/client/bundle-element.ts";
import { isOfElement } from "../../../scripts/client/only-messages.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../../..");
let files = new Map<string, string>();
beforeAll(async () => {
  files = await bundleElementFiles();
});

/** The imports of a script. */
const importsOf = (script = ""): readonly string[] =>
  [...script.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(([, path = ""]) => path);

describe("element.js", () => {
  test("[W37] is under 25 KB compressed, and loads what it needs later from beside it", () => {
    const element = files.get("element.js");
    expect(gzipSync(element ?? "").length).toBeLessThan(25_000);
    const own = importsOf(element).filter((path) => !path.startsWith(`./client-${VERSION}/`));
    const languages = ["de", "es", "fr", "ja"].map((one) => `./element-${VERSION}/${one}.js`);
    expect(own.toSorted()).toEqual([`./audio-${VERSION}.js`, ...languages]);
    expect(importsOf(files.get("audio.js"))).toEqual([]);
  });

  test("[W37] a server can import it", async () => {
    const path = join(await temporaryFolder(), "element.mjs");
    await writeFile(path, files.get("element.js") ?? "");
    const { SoundferrySend, TAG } = await import(pathToFileURL(path).href);
    expect([typeof SoundferrySend, TAG]).toEqual(["function", "soundferry-send"]);
  });

  test("[W36] has every text that its sources show", async () => {
    const folders = ["client/element", "client/element/sections"];
    const missing: string[] = [];
    for (const folder of folders) {
      for (const name of await readdir(join(ROOT, folder))) {
        if (!name.endsWith(".ts")) continue;
        const source = await readFile(join(ROOT, folder, name), "utf8");
        const keys = [...source.matchAll(/\bt\(\s*"([^"]+)"/g)].map(([, key = ""]) => key);
        missing.push(...keys.filter((key) => !isOfElement(key)));
      }
    }
    expect(missing).toEqual([]);
  });
});

describe("audio.js", () => {
  test("[W32] converts, validates and guesses outside browsers, too", async () => {
    const path = join(await temporaryFolder(), "audio.mjs");
    await writeFile(path, files.get("audio.js") ?? "");
    const { convert, guess } = await import(pathToFileURL(path).href);
    const { smallWav } = await import("../../wav-bytes.ts");
    const { aiff } = await import("../../core/audio/aiff-bytes.ts");
    const wav = new Blob([new Uint8Array(smallWav({ frames: 88_200 }))]);
    const same = await convert(wav, { name: "Amen 120.wav" });
    expect([same.wav === wav, same.from, same.header.frames]).toEqual([true, null, 88_200]);
    const { kind, bpm, title } = guess("Amen Break 120 BPM.wav", same.hints, same.header);
    expect({ kind, bpm, title }).toEqual({ kind: "loop", bpm: 120, title: "Amen Break" });
    const { from } = await convert(new Blob([new Uint8Array(aiff({ audio: Buffer.alloc(4) }))]));
    expect(from).toMatchObject({ name: "AIFF", sampleRateHz: 44_100 });

    const codeOf = (bytes: Uint8Array<ArrayBuffer>): Promise<[string, string]> =>
      convert(new Blob([bytes]), { name: "x.wav" }).catch(
        ({ code, message }: { code: string; message: string }) => [code, message],
      );
    expect(await codeOf(new Uint8Array())).toEqual(["SOUND_EMPTY", "x.wav is empty."]);
    expect((await codeOf(new Uint8Array([0x52, 0x49, 0x46, 0x46])))[0]).toMatch(/^WAV_/);
    expect((await codeOf(new Uint8Array(64)))[0]).toBe("SOUND_UNDECODABLE");
  });
});
