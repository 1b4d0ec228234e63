import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { aiff } from "../core/audio/aiff-bytes.ts";
import { smallWav } from "../wav-bytes.ts";
import { describe, expect, test, beforeAll } from "vitest";
import { buildClientScript } from "../../scripts/build-client.ts";
import { LANGUAGES } from "../../core/messages/languages.ts";
import { VERSION } from "../../core/version.ts";
import { bundleClientFiles } from "../../scripts/client/bundle-client.ts";
import { writeClientPackage } from "../../scripts/client/client-package.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { bundleElementFiles } from "../../scripts/client/bundle-element.ts";
import { isOfElement } from "../../scripts/client/only-messages.ts";

describe("client.js", () => {
  test("[W1] is one small file, which loads small parts when it sends", async () => {
    const files = await bundleClientFiles();
    const sizeOf = (path: string): number => gzipSync(files.get(path) ?? "").length;
    const text = files.get("client.js") ?? "";
    expect(sizeOf("client.js")).toBeLessThan(13_000);
    expect(/^import\b|\bfrom ?"|\brequire\b|randomUUID/m.exec(text)?.[0]).toBeUndefined();
    // The oldest supported browsers lack these.
    expect(/canParse|withResolvers|groupBy|fromAsync/.exec(text)?.[0]).toBeUndefined();
    expect(/export ?\{.*\bSoundferryClient\b/.test(text)).toBe(true);

    const loaded = [...text.matchAll(/import\("([^"]+)"\)/g)].map(([, path]) => path ?? "");
    expect(loaded.toSorted()).toEqual(
      ["causes", "checks", "hash-worker", "keeping", "portable-hash", "uploading"].map(
        (part) => `./client-${VERSION}/${part}.js`,
      ),
    );
    for (const path of loaded) {
      const part = files.get(path.slice(2)) ?? "";
      expect(part).toMatch(/export ?\{/);
      expect(/\bimport\(|\bfrom ?"/.exec(part)?.[0]).toBeUndefined();
    }
    expect(sizeOf(`client-${VERSION}/hash-worker.js`)).toBeLessThan(9000);
    const licenses = [...files.values()].flatMap((file) => /MIT, Copyright.*?\./.exec(file) ?? []);
    expect(new Set(licenses).size).toBe(2);
  });

  test("[W1] runs in Node unchanged", async () => {
    const path = join(await temporaryFolder(), "client.mjs");
    await writeFile(path, await buildClientScript());
    const { SoundferryClient, MemoryTokenStore } = await import(pathToFileURL(path).href);
    const settings = { relayUrl: "http://relay.example/base/", tokenStore: new MemoryTokenStore() };
    expect(new SoundferryClient(settings).relayUrl).toBe("http://relay.example/base");
  });

  test("is cached, and rebuilt when the cached file was changed", async () => {
    const folder = await temporaryFolder();
    const text = await buildClientScript(folder);
    const kept = join(folder, "client.js");
    const { mtimeMs } = await stat(kept);
    expect(await buildClientScript(folder)).toBe(text);
    expect((await stat(kept)).mtimeMs).toBe(mtimeMs);
    await writeFile(kept, "half a cl");
    expect(await buildClientScript(folder)).toBe(text);
  });
});

describe("the package @soundferry/client", () => {
  test("[W1][W11] depends on nothing, and keeps the layout preview out of its first entry", async () => {
    const folder = join(await temporaryFolder(), "client");
    await writeClientPackage(folder);
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    expect(manifest.name).toBe("@soundferry/client");
    expect(Object.keys(manifest)).not.toContain("dependencies");
    expect(Object.keys(manifest.exports)).toEqual([
      ".",
      "./layout",
      "./node",
      "./audio",
      "./element",
      "./hash-worker.js",
      "./package.json",
    ]);

    const files = (await readdir(folder)).filter((name) => name.endsWith(".js"));
    const imports = new Map<string, string[]>();
    for (const file of files) {
      const code = await readFile(join(folder, file), "utf8");
      imports.set(
        file,
        [...code.matchAll(/from "([^"]+)"/g)].map((found) => found[1] ?? ""),
      );
    }
    const foreign = [...imports.values()].flat().filter((name) => !name.startsWith("./"));
    expect(foreign.filter((name) => !name.startsWith("node:"))).toEqual([]);
    const ofFirst = imports.get("index.js") ?? [];
    expect(ofFirst.filter((name) => name.startsWith("node:"))).toEqual([]);
    const texts = ["index.js", ...ofFirst].map((name) => readFile(join(folder, name), "utf8"));
    expect(gzipSync((await Promise.all(texts)).join("")).length).toBeLessThan(22_000);
  });
});

const ROOT = join(import.meta.dirname, "../..");
let files = new Map<string, string>();
beforeAll(async () => {
  files = await bundleElementFiles();
});

/** The imports of a script. */
const importsOf = (script = ""): readonly string[] =>
  [...script.matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(([, path = ""]) => path);

describe("element.js", () => {
  test("[W37] is under 26 KB compressed, and loads what it needs later from beside it", () => {
    const element = files.get("element.js");
    expect(gzipSync(element ?? "").length).toBeLessThan(26_000);
    const own = importsOf(element).filter((path) => !path.startsWith(`./client-${VERSION}/`));
    const later = LANGUAGES.filter((one) => one !== "en");
    const languages = later.map((one) => `./element-${VERSION}/${one}.js`);
    expect(own.toSorted()).toEqual([...languages, `./element-${VERSION}/sounds.js`]);
    for (const path of ["audio.js", `element-${VERSION}/sounds.js`]) {
      expect(importsOf(files.get(path)), path).toEqual([]);
    }
  });

  test("[W37] a server can import it", async () => {
    const path = join(await temporaryFolder(), "element.mjs");
    await writeFile(path, files.get("element.js") ?? "");
    const { SoundferrySend, TAG } = await import(pathToFileURL(path).href);
    expect([typeof SoundferrySend, TAG]).toEqual(["function", "soundferry-send"]);
  });

  test("[W36] has every text that its sources show", async () => {
    const folders = ["client/element", "client/element/sections", "client/send/session"];
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
  test("[W32][B8] converts, validates and guesses outside browsers, too", async () => {
    const path = join(await temporaryFolder(), "audio.mjs");
    await writeFile(path, files.get("audio.js") ?? "");
    const { convert, guess, guessSounds } = await import(pathToFileURL(path).href);
    const wav = new Blob([new Uint8Array(smallWav({ frames: 88_200 }))]);
    const same = await convert(wav, { name: "Amen 120.wav" });
    expect([same.wav === wav, same.from, same.header.frames]).toEqual([true, null, 88_200]);
    const { kind, bpm, title } = guess("Amen Break 120 BPM.wav", same.hints, same.header);
    expect({ kind, bpm, title }).toEqual({ kind: "loop", bpm: 120, title: "Amen Break" });
    const long = { frames: 180 * 44_100, sampleRateHz: 44_100 };
    const stems = (tempo: string, packageBpm?: number) =>
      ["Drums", "Bass"].map((part) => {
        const name = `Neon Rain (${part})${tempo}.wav`;
        return { name, hints: {}, header: long, packageBpm };
      });
    const guessed = guessSounds(stems(" 97bpm"));
    expect(guessed.recordings).toMatchObject([{ members: [0, 1], title: "Neon Rain", bpm: 97 }]);
    expect(guessed.sounds).toMatchObject([{ title: "Drums" }, { title: "Bass" }]);
    const typed = guessSounds(stems("", 98));
    expect(typed.recordings).toMatchObject([{ bpm: 98, lengthBeats: 294 }]);
    const { from } = await convert(new Blob([new Uint8Array(aiff({ audio: Buffer.alloc(4) }))]));
    expect(from).toMatchObject({ name: "AIFF", sampleRateHz: 44_100 });

    const streamed = new Uint8Array(smallWav());
    streamed.fill(255, 40, 44);
    const { header, notes } = await convert(new Blob([streamed]));
    expect([header.frames, notes[0].message]).toEqual([
      100,
      "Its header had no length (it was streamed); the length was measured.",
    ]);

    const codeOf = (bytes: Uint8Array<ArrayBuffer>): Promise<[string, string]> =>
      convert(new Blob([bytes]), { name: "x.wav" }).catch(
        ({ code, message }: { code: string; message: string }) => [code, message],
      );
    expect(await codeOf(new Uint8Array())).toEqual(["SOUND_EMPTY", "x.wav is empty."]);
    expect((await codeOf(new Uint8Array([0x52, 0x49, 0x46, 0x46])))[0]).toMatch(/^WAV_/);
    expect((await codeOf(new Uint8Array(64)))[0]).toBe("SOUND_UNDECODABLE");
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 12\n";
    expect(await codeOf(new TextEncoder().encode(pointer))).toEqual([
      "WAV_LFS_POINTER",
      "x.wav is a Git LFS pointer: run git lfs pull.",
    ]);
  });
});
