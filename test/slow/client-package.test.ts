import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "../../core/version.ts";
import { writeClientPackage } from "../../scripts/client/client-package.ts";

const ROOT = join(import.meta.dirname, "../..");
const built = mkdtempSync(join(tmpdir(), "soundferry-client-built-"));
const folder = mkdtempSync(join(tmpdir(), "soundferry-client-"));
afterAll(() => {
  for (const made of [built, folder]) rmSync(made, { recursive: true, force: true });
});

/** Runs a program and returns its output; throws if it fails. */
function run(program: string, words: readonly string[], cwd = folder): string {
  return execFileSync(program, words, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

beforeAll(async () => {
  await writeClientPackage(join(built, "client"));
  run("npm", ["pack", "--pack-destination", folder], join(built, "client"));
  writeFileSync(join(folder, "package.json"), '{"name":"empty","private":true,"type":"module"}');
  const file = `soundferry-client-${VERSION}.tgz`;
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", file]);
}, 120_000);

describe("@soundferry/client, packed and installed", () => {
  test("[W11] installs no other package", () => {
    const installed = readdirSync(join(folder, "node_modules")).filter((name) => name[0] !== ".");
    expect(installed).toEqual(["@soundferry"]);
    const files = readdirSync(join(folder, "node_modules/@soundferry/client"));
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
  });

  test("[W11] loads in Node, and its entries share their classes", () => {
    writeFileSync(
      join(folder, "try.js"),
      `import { ClientError, SoundferryClient } from "@soundferry/client";
       import { beatsOf } from "@soundferry/client/layout";
       import { IN_NODE, soundFile } from "@soundferry/client/node";
       const codes = [];
       for (const act of [() => beatsOf(new Uint8Array(9), 120), () => soundFile("nowhere.wav")]) {
         await act().catch((error) => codes.push(error instanceof ClientError && error.code));
       }
       console.log(typeof SoundferryClient, typeof IN_NODE.sha256, codes.join());`,
    );
    const printed = run(process.execPath, ["try.js"]).trim();
    expect(printed).toBe("function function WAV_NOT_RIFF,SOUND_UNREADABLE");
  });

  const PROGRAM = `
    import { ClientError, Pairings, LocalStoragePairings, SoundferryClient } from "@soundferry/client";
    import type { PackageDraft, SendProgress } from "@soundferry/client";
    import { previewLayout } from "@soundferry/client/layout";
    export async function send(client: SoundferryClient, draft: PackageDraft): Promise<string> {
      const onProgress = ({ doneBytes, totalBytes }: SendProgress): number => doneBytes / totalBytes;
      const { packageId, warnings } = await client.send(draft, { onProgress });
      for await (const { status } of client.follow(packageId)) if (status === "imported") break;
      const { tracks } = await previewLayout(draft);
      return warnings.map(({ code }) => code).join() + tracks.length;
    }
    export const pairings = new Pairings(new LocalStoragePairings());
    export const isTold = (error: unknown): error is ClientError => error instanceof ClientError;
    // @ts-expect-error -- there is no such kind
    export const wrong: PackageDraft = { sounds: [{ source: new Blob([]), kind: "lop" }] };`;
  const IN_NODE = `
    import { FilePairings, FileTokenStore, IN_NODE, soundFile } from "@soundferry/client/node";
    const tokenStore = new FileTokenStore("tokens.json", "http://relay.example");
    export const client = new SoundferryClient({ relayUrl: "http://relay.example", tokenStore, ...IN_NODE });
    export const draft: PackageDraft = { sounds: [{ source: await soundFile("beat.wav") }] };
    export const kept = new Pairings(new FilePairings("pairings.json"), IN_NODE);`;

  test.each([
    ["in a page", PROGRAM, "bundler", "esnext", ["--lib", "es2023,dom", "--types", ""]],
    [
      "in Node",
      PROGRAM + IN_NODE,
      "nodenext",
      "nodenext",
      ["--lib", "es2024", "--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")],
    ],
  ])(
    "[W11] has types that suffice for a strict program %s",
    (_where, program, resolution, module, more) => {
      writeFileSync(join(folder, "try.ts"), program);
      const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
      const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2023"];
      const modules = ["--moduleResolution", resolution, "--module", module];
      expect(run(process.execPath, [compiler, ...strict, ...modules, ...more, "try.ts"])).toBe("");
    },
  );
});
