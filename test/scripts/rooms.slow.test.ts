import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../addon/temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const LINTER = join(ROOT, "node_modules/oxlint/bin/oxlint");

/** A file of a room, and what it may not import. */
const FORBIDDEN: readonly (readonly [file: string, imports: string])[] = [
  ["core/layout/a.ts", "../../relay/settings.ts"],
  ["core/layout/b.ts", "../../scripts/build-panel.ts"],
  ["core/c.ts", "node:fs"],
  ["core/d.ts", "ajv"],
  ["relay/domain/a.ts", "../storage/disk-sound-store.ts"],
  ["relay/domain/b.ts", "ws"],
  ["relay/domain/c.ts", "node:fs"],
  ["relay/http/a.ts", "../storage/disk-sound-store.ts"],
  ["relay/storage/a.ts", "../http/routes.ts"],
  ["relay/notify/a.ts", "../../addon/importer.ts"],
  ["relay/a.ts", "../addon/importer.ts"],
  ["relay/page/a.ts", "../domain/announce.ts"],
  ["relay/page/b.ts", "node:fs"],
  ["addon/a.ts", "../relay/build-relay.ts"],
  ["addon/b.ts", "./host/live-host.ts"],
  ["addon/c.ts", "@ableton-extensions/sdk"],
  ["addon/host/a.ts", "../import/journal.ts"],
  ["addon/host/live/a.ts", "../../link/relay-client.ts"],
  ["addon/import/a.ts", "../host/preview-host.ts"],
  ["addon/import/b.ts", "../link/relay-client.ts"],
  ["addon/link/a.ts", "../import/journal.ts"],
  ["addon/link/b.ts", "../host/host.ts"],
  ["addon/panel/a.ts", "../control/control-client.ts"],
  ["addon/panel/b.ts", "node:fs"],
  ["web/a.ts", "../addon/importer.ts"],
  ["web/b.ts", "node:fs"],
  ["client/a.ts", "../relay/build-relay.ts"],
  ["client/b.ts", "ws"],
  ["client/c.ts", "@scope/any"],
  ["cli/preview/page/a.ts", "../../../addon/importer.ts"],
  ["cli/preview/page/b.ts", "node:fs"],
  ["cli/a.ts", "../test/rule-table.ts"],
  ["bench/a.ts", "../test/rule-table.ts"],
];

/** Such as look alike, and may. */
const ALLOWED: readonly (readonly [file: string, imports: string])[] = [
  ["core/layout/a.ts", "../text/count-of.ts"],
  ["relay/domain/a.ts", "../../core/time.ts"],
  ["relay/http/a.ts", "../domain/announce.ts"],
  ["addon/import/a.ts", "../host/host.ts"],
  ["addon/host/a.ts", "../atomic-file.ts"],
  ["addon/link/a.ts", "../import/relay-port.ts"],
  ["client/a.ts", "@noble/hashes/sha2.js"],
  ["client/node/a.ts", "node:fs"],
  ["cli/a.ts", "../scripts/build-panel.ts"],
];

/** The files of these whose import the project's lint rules refuse. */
async function refusedOf(imports: typeof FORBIDDEN): Promise<ReadonlySet<string>> {
  const folder = await temporaryFolder();
  await copyFile(join(ROOT, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  for (const [file, from] of imports) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `import * as all from "${from}";\nvoid all;\n`);
  }
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, [LINTER, "--format", "json"], { cwd: folder }, (_error, stdout) =>
      resolve(stdout),
    );
  });
  const { diagnostics }: { diagnostics: readonly { code: string; filename: string }[] } =
    JSON.parse(printed);
  const refused = diagnostics.filter(({ code }) => code.includes("no-restricted-imports"));
  return new Set(refused.map(({ filename }) => filename));
}

describe("the lint rules", () => {
  test("keep every room from what it may not import", async () => {
    const refused = await refusedOf(FORBIDDEN);
    expect(FORBIDDEN.filter(([file]) => !refused.has(file))).toEqual([]);
  });

  test("let each room import what it may", async () => {
    expect([...(await refusedOf(ALLOWED))]).toEqual([]);
  });
});
