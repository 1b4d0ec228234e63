import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { importProgram } from "./printing-host.ts";
import { readPages } from "./read-pages.ts";

const ROOT = join(import.meta.dirname, "../..");
const PACKAGE = join(ROOT, "fixtures/packages/explicit-warp-and-colours");
const BLOCKS = readPages()
  .filter(({ path }) => path === "docs/use/library.md")
  .flatMap(({ blocks }) => blocks.map(({ text }) => text));

/**
 * Runs the page's program that imports this entry point, and returns what it prints.
 * @param prelude defines what the page leaves to its reader
 */
async function runProgram(part: RegExp, environment: Record<string, string>, prelude = "") {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "sounds"));
  const data = {
    SOUNDFERRY_DATA: join(folder, "relay"),
    SOUNDFERRY_IMPORTER_DATA: join(folder, "importer"),
    SOUNDFERRY_SOUNDS: join(folder, "sounds"),
    SOUNDFERRY_PORT: "0",
    SOUNDFERRY_PANEL_PORT: "0",
  };
  for (const [name, value] of Object.entries({ ...data, ...environment })) vi.stubEnv(name, value);
  const log = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    log.mockRestore();
  });
  const text = BLOCKS.find((block) => part.test(block)) ?? "";
  expect(text).not.toBe("");
  await importProgram(folder, `${prelude}\n${text}`);
  return log.mock.calls.map(([line]) => String(line)).join("\n");
}

test("the page has four programs", () => {
  expect(BLOCKS).toHaveLength(4);
});

test("the page's preview of a layout runs", async () => {
  const prelude = `import { readFile } from "node:fs/promises";
    import { join } from "node:path";
    const folder = ${JSON.stringify(PACKAGE)};
    const json = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
    const bytesOf = (file: string) => readFile(join(folder, file));`;
  expect(await runProgram(/planLayout/, {}, prelude)).toContain("Six Ways to Stretch (Taffy)");
});

test("the page's importer runs, and prints a code", async () => {
  await using relay = await RunningRelay.start();
  const printed = await runProgram(/importAll/, { SOUNDFERRY_RELAY_URL: relay.url });
  expect(printed).toMatch(/^[A-Z0-9]{6}$/);
});

test("the page's importer with a panel runs, and prints its address", async () => {
  const printed = await runProgram(/startImporter/, {}, 'const html = "<!doctype html>";');
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
});

test("the page's relay runs", async () => {
  expect(await runProgram(/buildRelay/, {}, "")).toBe("");
});
