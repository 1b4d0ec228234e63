import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOMS } from "../../scripts/config/rooms.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { parseTestWords } from "../../scripts/tests/test-words.ts";

const ROOT = join(import.meta.dirname, "../..");
const LINTER = join(ROOT, "node_modules/oxlint/bin/oxlint");

/** A file of a room, and an import that is forbidden there. */
const FORBIDDEN: readonly (readonly [file: string, imports: string])[] = [
  ["core/layout/a.ts", "../../relay/settings.ts"],
  ["core/layout/b.ts", "../../scripts/build-pages.ts"],
  ["core/c.ts", "node:fs"],
  ["core/d.ts", "ajv"],
  ["program/a.ts", "../relay/settings.ts"],
  ["program/b.ts", "../addon/settings.ts"],
  ["relay/domain/a.ts", "../storage/disk/disk-sound-store.ts"],
  ["relay/domain/b.ts", "ws"],
  ["relay/domain/c.ts", "node:fs"],
  ["relay/domain/d.ts", "../settings.ts"],
  ["relay/http/a.ts", "../storage/disk/disk-sound-store.ts"],
  ["relay/http/contract/a.ts", "../../storage/disk/disk-sound-store.ts"],
  ["relay/storage/a.ts", "../http/routes.ts"],
  ["relay/storage/sqlite/a.ts", "../../http/routes.ts"],
  ["relay/notify/a.ts", "../../addon/importer.ts"],
  ["relay/operating/a.ts", "../http/routes.ts"],
  ["test/contracts/relay/a.ts", "../../../relay/storage/disk/disk-sound-store.ts"],
  ["test/contracts/relay/b.ts", "../../../relay/build-relay.ts"],
  ["test/contracts/relay/c.ts", "vitest"],
  ["test/contracts/relay/d.ts", "node:test"],
  ["test/contracts/relay/e.ts", "node:async_hooks"],
  ["test/contracts/relay/f.ts", "@vitest/expect"],
  ["test/contracts/relay/records/a.ts", "../../../../relay/storage/sqlite/sqlite-database.ts"],
  ["test/contracts/relay/records/b.ts", "node:fs"],
  ["relay/domain/e.ts", "../../test/contracts/relay/contract.ts"],
  ["relay/b.ts", "../test/contracts/relay/index.ts"],
  ["relay/a.ts", "../addon/importer.ts"],
  ["pages/send/a.ts", "../../relay/domain/packages/announce.ts"],
  ["pages/send/b.ts", "node:fs"],
  ["addon/disk/a.ts", "../state/state-store.ts"],
  ["addon/timers.ts", "./disk/atomic-file.ts"],
  ["addon/hosts/a.ts", "../runs/journal.ts"],
  ["addon/hosts/b.ts", "./live/sdk/live-host.ts"],
  ["addon/hosts/c.ts", "@ableton-extensions/sdk"],
  ["addon/hosts/live/sdk/a.ts", "../../../relay/relay-client.ts"],
  ["addon/hosts/preview/a.ts", "../live/sdk/live-host.ts"],
  ["addon/state/a.ts", "../relay/relay-client.ts"],
  ["addon/state/b.ts", "../../relay/settings.ts"],
  ["addon/relay/a.ts", "../runs/journal.ts"],
  ["addon/relay/b.ts", "../hosts/host.ts"],
  ["addon/relay/c.ts", "../../relay/build-relay.ts"],
  ["addon/packages/a.ts", "../runs/journal.ts"],
  ["addon/settings.ts", "./runs/journal.ts"],
  ["addon/runs/a.ts", "../hosts/preview/preview-host.ts"],
  ["addon/runs/b.ts", "../importer.ts"],
  ["addon/runs/c.ts", "../control/control-client.ts"],
  ["addon/importer.ts", "./control/control-client.ts"],
  ["addon/build-importer.ts", "../relay/build-relay.ts"],
  ["addon/control/a.ts", "../hosts/live/sdk/live-host.ts"],
  ["addon/control/b.ts", "../extension/panel-dialog.ts"],
  ["addon/extension/a.ts", "../../relay/build-relay.ts"],
  ["addon/index.ts", "./hosts/live/sdk/live-host.ts"],
  ["addon/live-extension.ts", "./importer.ts"],
  ["pages/panel/a.ts", "../../addon/control/control-client.ts"],
  ["pages/panel/pairing/a.tsx", "../../../addon/runs/journal.ts"],
  ["pages/panel/b.ts", "node:fs"],
  ["pages/panel/c.ts", "../receive/receive-importer.ts"],
  ["pages/receive/a.ts", "../../addon/importer.ts"],
  ["pages/receive/b.ts", "node:fs"],
  ["pages/kit/a.ts", "../../addon/importer.ts"],
  ["pages/kit/b.ts", "node:fs"],
  ["client/a.ts", "../relay/build-relay.ts"],
  ["client/b.ts", "ws"],
  ["client/c.ts", "@scope/any"],
  ["cli/conformance/checks/a.ts", "../../../relay/settings.ts"],
  ["cli/layout/a.ts", "../preview/preview-session.ts"],
  ["cli/preview/a.ts", "../output.ts"],
  ["pages/preview/a.ts", "../../addon/importer.ts"],
  ["pages/preview/session/a.tsx", "../../../cli/preview/preview-session.ts"],
  ["pages/preview/b.ts", "node:fs"],
  ["cli/a.ts", "../test/longest-first.ts"],
];

/** Similar imports that are allowed. */
const ALLOWED: readonly (readonly [file: string, imports: string])[] = [
  ["core/layout/a.ts", "../text/count-of.ts"],
  ["program/a.ts", "../core/audio/byte-pieces.ts"],
  ["relay/domain/a.ts", "../../core/time.ts"],
  ["relay/http/a.ts", "../domain/announce.ts"],
  ["relay/http/b.ts", "../../program/node-http.ts"],
  ["relay/storage/sqlite/a.ts", "../../../program/own-files.ts"],
  ["test/contracts/relay/a.ts", "../../../relay/domain/ports.ts"],
  ["test/contracts/relay/b.ts", "node:timers/promises"],
  ["test/contracts/relay/c.ts", "node:buffer"],
  ["test/contracts/relay/records/a.ts", "node:assert/strict"],
  ["relay/a.ts", "./storage/disk/folder-lock.ts"],
  ["addon/relay/a.ts", "../state/state-store.ts"],
  ["addon/packages/a.ts", "../relay/relay-port.ts"],
  ["addon/runs/a.ts", "../hosts/host.ts"],
  ["addon/runs/b.ts", "../settings.ts"],
  ["addon/hosts/live/sdk/a.ts", "../../../disk/atomic-file.ts"],
  ["addon/hosts/live/sdk/b.ts", "@ableton-extensions/sdk"],
  ["addon/extension/a.ts", "../hosts/live/sdk/live-host.ts"],
  ["pages/receive/a.ts", "../panel/app.tsx"],
  ["client/a.ts", "@noble/hashes/sha2.js"],
  ["client/node/a.ts", "node:fs"],
  ["cli/a.ts", "../scripts/build-pages.ts"],
  ["docs/examples/stores/a.ts", "../../../relay/index.ts"],
  ["test/relay/a.ts", "../../cli/output.ts"],
];

/** The files among these whose import the project's lint rules refuse. */
async function refusedOf(imports: typeof FORBIDDEN): Promise<ReadonlySet<string>> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "scripts/config"), { recursive: true });
  for (const file of ["oxlint.config.ts", "scripts/config/lint.ts", "scripts/config/rooms.ts"]) {
    await copyFile(join(ROOT, file), join(folder, file));
  }
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
  test("assign a room to every file of the product", async () => {
    const folders = ["addon", "cli", "client", "core", "pages", "program", "relay"];
    const files = await Promise.all(
      folders.map((folder) => readdir(join(ROOT, folder), { recursive: true })),
    );
    const isOf = (file: string) => (path: string) =>
      path === file ||
      (path.endsWith("/*") ? dirname(file) === path.slice(0, -2) : file.startsWith(`${path}/`));
    const homeless = files
      .flatMap((found, index) =>
        found.map((file) => `${folders[index]}/${file.replaceAll("\\", "/")}`),
      )
      .filter((file) => /\.tsx?$/.test(file) && !ROOMS.some(({ path }) => isOf(file)(path)));
    expect(homeless).toEqual([]);
  });

  test("let no rooms import each other in a circle", () => {
    const below = new Map(
      ROOMS.map(({ path, imports }) => [path, imports.filter((other) => other !== path)]),
    );
    const circleFrom = (path: string, way: readonly string[]): readonly string[] =>
      way.includes(path)
        ? [[...way, path].join(" → ")]
        : (below.get(path) ?? []).flatMap((next) => circleFrom(next, [...way, path]));
    const addon = ROOMS.map(({ path }) => path).filter((path) => path.startsWith("addon/"));
    expect(addon.flatMap((path) => circleFrom(path, []))).toEqual([]);
  });

  test("refuse every room its forbidden imports", async () => {
    const refused = await refusedOf(FORBIDDEN);
    expect(FORBIDDEN.filter(([file]) => !refused.has(file))).toEqual([]);
  });

  test("allow each room its own imports", async () => {
    expect([...(await refusedOf(ALLOWED))]).toEqual([]);
  });
});

test("a rule that a suite names finds the tests that run the suite", () => {
  const { words } = parseTestWords(["P4"]);
  expect(words).toContain("test/relay/storage/sqlite/sqlite-records.test.ts");
});

test("several rules are one pattern, and a folder stays the place to look", () => {
  expect(parseTestWords(["U4", "S4", "test/core"]).words).toEqual([
    "test/core",
    "-t",
    "\\[(?:U4|S4)\\]",
  ]);
});
