import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { builtExtension } from "./live-node.ts";

const OXLINT = fileURLToPath(new URL("../../../node_modules/oxlint/bin/oxlint", import.meta.url));
/** What Live provides, and what `addon/extension/bare-globals.ts` adds. */
const THERE =
  "Buffer clearTimeout console module process require setTimeout " +
  "AbortController AbortSignal Event EventTarget TextDecoder TextEncoder performance";
/**
 * The bundler's note of the exports, then names that `ws`, `ajv` and `p-limit` read only with options that
 * nobody sets.
 */
const NEVER_READ = ["activate", "Blob", "URL", "setImmediate", "queueMicrotask"];

/** The free names of a script, without those of the language. */
async function freeNames(script: string): Promise<ReadonlySet<string>> {
  const folder = await temporaryFolder();
  const config = { env: { builtin: true }, rules: { "no-undef": "error" } };
  await writeFile(join(folder, "extension.js"), script);
  await writeFile(join(folder, ".oxlintrc.json"), JSON.stringify(config));
  const judge = ["-c", ".oxlintrc.json", "-A", "all", "-D", "no-undef", "-f", "json"];
  const found = await new Promise<string>((resolve) => {
    const args = [OXLINT, ...judge, "extension.js"];
    // It exits with 1 if it finds something, which it does.
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, args, options, (_, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(found) as { diagnostics: readonly { message: string }[] };
  return new Set(
    diagnostics.map(({ message }) => /^'(.+)' is not defined/.exec(message)?.[1] ?? ""),
  );
}

test("[H9] the extension uses no name that Live may lack, even in code that no test reaches", async () => {
  const names = await freeNames((await builtExtension()).code);
  expect(names).toContain("setTimeout");
  const known = new Set([...THERE.split(" "), ...NEVER_READ]);
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
});
