import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { planLayout } from "../../core/layout/plan-layout.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";
import { formatAboutPackage } from "../../core/saved-package/about-package.ts";
import { sampleHeader, samplePackage, sampleSound } from "./layout/sample-package.ts";

const CORE = join(import.meta.dirname, "../../core");

/** All of core in one script that sets `core`, an object of modules by path. */
async function bundleCore(): Promise<string> {
  const modules = readdirSync(CORE, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /(?<!\.d)\.(ts|js)$/.test(path));
  const imports = modules.map((path, index) => `import * as m${index} from "./${path}";`);
  const entries = modules.map((path, index) => `${JSON.stringify(path)}: m${index},`);
  const { outputFiles } = await build({
    stdin: {
      contents: `${imports.join("\n")}\nglobalThis.core = {\n${entries.join("\n")}\n};`,
      resolveDir: CORE,
    },
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}

test("core runs in a bare JavaScript context with the same results", async () => {
  const context = createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
  });
  const run = (code: string): unknown => new Script(code).runInContext(context);
  run("delete globalThis.console; delete globalThis.WebAssembly;");
  expect(run("typeof URL + typeof TextEncoder + typeof Buffer + typeof console")).toBe(
    "undefined".repeat(4),
  );

  run(await bundleCore());
  const items = [sampleSound({ kind: "loop", bpm: 93.75, color: "#12AB34" }), sampleSound()];
  const { manifest, warnings, sounds, colorTurn } = samplePackage(items);
  const text = run(`
    const read = ${JSON.stringify({ manifest, warnings, colorTurn })};
    const sounds = new Map(${JSON.stringify([...sounds])});
    const layout = core["layout/plan-layout.ts"].planLayout({ ...read, sounds });
    core["layout/format-layout.ts"].formatLayout(layout);
  `);
  expect(text).toBe(formatLayout(planLayout(samplePackage(items))));
  const project = run(`
    const found = { folderName: "Kit", ...read, headers: sounds };
    String(core["saved-package/about-package.ts"].formatAboutPackage(found).project.bytes);
  `);
  const headers = new Map(items.map(({ id }) => [id, sampleHeader(96_000)]));
  const found = { folderName: "Kit", manifest, warnings, headers, colorTurn: 0 };
  expect(project).toBe(String(formatAboutPackage(found).project.bytes));
  expect(run(`core["text/file-name.ts"].fileNameFor("CON", ".wav", () => false)`)).toBe("_CON.wav");
  expect(run(`core["protocol/pairing-code.ts"].parsePairingCode("k7m-q2x")`)).toBe("K7MQ2X");
});
