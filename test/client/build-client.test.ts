import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { buildClientScript } from "../../scripts/build-client.ts";
import { VERSION } from "../../core/version.ts";
import { bundleClientFiles } from "../../scripts/client/bundle-client.ts";
import { writeClientPackage } from "../../scripts/client/client-package.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";

describe("client.js", () => {
  test("[W1] is one small file, which loads small parts when it sends", async () => {
    const files = await bundleClientFiles();
    const sizeOf = (path: string): number => gzipSync(files.get(path) ?? "").length;
    const text = files.get("client.js") ?? "";
    expect(sizeOf("client.js")).toBeLessThan(12_000);
    expect(/^import\b|\bfrom ?"|\brequire\b|randomUUID/m.exec(text)?.[0]).toBeUndefined();
    // The oldest supported browsers lack these.
    expect(/canParse|withResolvers|groupBy|fromAsync/.exec(text)?.[0]).toBeUndefined();
    expect(/export ?\{.*\bSoundferryClient\b/.test(text)).toBe(true);

    const loaded = [...text.matchAll(/import\("([^"]+)"\)/g)].map(([, path]) => path ?? "");
    expect(loaded.toSorted()).toEqual(
      ["hash-worker", "headers", "portable-hash"].map((part) => `./client-${VERSION}/${part}.js`),
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
