import { servePage } from "../serve-page.ts";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { ROUTES } from "../../relay/http/routes.ts";
import { describeInBrowser, useBrowser } from "../pages/panel/panel-browser.ts";
import { type Importer, RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { readFileSync } from "node:fs";

const run = promisify(execFile);
const PAGE = readFileSync(join(import.meta.dirname, "../../docs/use/api.md"), "utf8");
const SECTIONS = readSections();
const CALLS = SECTIONS.filter(({ call }) => call !== "");

/** No story can both follow a package into the host and withdraw it. */
const STORIES = [
  { story: "followed", without: "DELETE /packages/{id}" },
  { story: "withdrawn", without: "GET /packages/{id}/status" },
];

type Run = (program: string, folder: string) => Promise<unknown[]>;

/** Runs the examples of one form beside an importer, and returns what they print. */
async function tell(form: Form, without: string, runProgram: Run): Promise<unknown[]> {
  await using relay = await RunningRelay.start();
  const folder = await mkdtemp(join(tmpdir(), "soundferry-api-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "kick.wav"), smallWav());
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const told = SECTIONS.filter(({ call }) => call !== without);
  const program = programOf(told, form, { url: relay.url, code: json.code });
  const isImported = without.startsWith("DELETE");
  const stop = isImported ? importWhatComes(relay, importer) : undefined;
  try {
    return await runProgram(program, folder);
  } finally {
    await stop?.();
  }
}

/** Imports a package when it comes, as its user would. @returns what ends it, with all that it did */
function importWhatComes(relay: RunningRelay, { deviceId, token }: Importer): () => Promise<void> {
  let done = Promise.resolve();
  const importAll = async () => {
    const { json } = await relay.call("GET", "/importer/packages", { token });
    for (const { package_id: id, status } of json.packages) {
      if (status !== "waiting") continue;
      const where = { file: "Kick.wav", path: "Kitchen Kit/Kick.wav" };
      const kick = { status: "imported", track: "Kick (Looper)", ...where };
      const body = { results: { kick } };
      await relay.call("POST", `/importer/packages/${id}/results`, { token, body });
    }
  };
  const stop = relay.relay.context.notifier.listen(`device:${deviceId}`, () => {
    done = done.then(importAll);
  });
  return () => {
    stop();
    return done;
  };
}

function expectShown(printed: readonly unknown[], without: string): void {
  const shown = CALLS.filter(({ call }) => call !== without).map((section) => section.shown);
  expect(printed.map(shapeOf)).toEqual(shown.map(shapeOf));
}

const curl: Run = async (program, folder) => {
  const { stdout } = await run("bash", ["-euo", "pipefail", "-c", program], { cwd: folder });
  // Answers end without a line's end, so that two may stand on one line.
  return stdout
    .replaceAll("}{", "}\n{")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));
};

const node: Run = async (program, folder) => {
  const formatJson =
    "console.log = (value) => process.stdout.write(`${JSON.stringify(value)}\\n`);\n";
  await writeFile(join(folder, "example.mjs"), formatJson + program);
  const { stdout } = await run(process.execPath, ["example.mjs"], { cwd: folder });
  return stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
};

test("[O6] every call of an app is on the page, in each form, with its answer", () => {
  // HEAD is the first step of the example of PATCH.
  const calls = ROUTES.filter(
    ({ method, operation }) => method !== "HEAD" && ["Pairing", "Packages"].includes(operation.tag),
  );
  const described = calls.map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
  );
  expect(CALLS.map(({ call }) => call).sort()).toEqual(described.sort());
  for (const { call, code, shown } of CALLS) {
    expect([...code.keys()].sort(), call).toEqual(["Browser", "Node", "curl"]);
    expect(shown, call).not.toBeNull();
  }
});

describe.each(STORIES)("a package that is $story", ({ without }) => {
  test("[O6] with curl", async () => {
    expectShown(await tell("curl", without, curl), without);
  });

  test("[O6] in Node", async () => {
    expectShown(await tell("Node", without, node), without);
  });
});

describeInBrowser("in a page of another origin (needs Chromium)", () => {
  const browser = useBrowser();

  test.each(STORIES)("[O6] a package that is $story", async ({ without }) => {
    const site = await servePage("<!doctype html><title>Looper</title><input type=file>");
    const printed = await tell("Browser", without, async (program, folder) => {
      const page = await browser.open(site);
      await page.setInputFiles("input", join(folder, "kick.wav"));
      const lines: Promise<unknown>[] = [];
      page.on("console", (message) =>
        lines.push(message.args()[0]?.jsonValue() ?? Promise.resolve()),
      );
      await page.evaluate(`(async () => {${program}})()`);
      expect(await page.evaluate("localStorage.token")).toBeUndefined();
      return Promise.all(lines);
    });
    expectShown(printed, without);
  });
});

type Form = "curl" | "Node" | "Browser";

/** One call of the page. */
interface Section {
  /** Such as `POST /pair/claim`; empty before the first call. */
  readonly call: string;
  readonly code: ReadonlyMap<Form, string>;
  /** The answer that the page shows. */
  readonly shown: unknown;
}

/** The examples of `docs/use/api.md`, in its order. */
function readSections(): Section[] {
  return PAGE.split(/^## /m)
    .map(readSection)
    .filter(({ code }) => code.size > 0);
}

function readSection(text: string): Section {
  const code = new Map<Form, string>();
  for (const [, forms = "", block = ""] of text.matchAll(
    /^\*\*([^*\n]+)\*\*\n\n```\w+\n(.*?)^```$/gms,
  )) {
    for (const form of formsOf(forms)) code.set(form, (code.get(form) ?? "") + block);
  }
  const [, shown = "null"] = /^```json\n(.*?)^```$/ms.exec(text) ?? [];
  return { call: /^[^\n`]*`([^`\n]+)`/.exec(text)?.[1] ?? "", code, shown: JSON.parse(shown) };
}

function formsOf(heading: string): Form[] {
  if (heading === "Node and browser") return ["Node", "Browser"];
  if (heading === "curl" || heading === "Node" || heading === "Browser") return [heading];
  throw new Error(`docs/use/api.md has a form that no test runs: ${heading}`);
}

/** The examples of one form as one program, with the relay and the code of a test in them. */
function programOf(
  sections: readonly Section[],
  form: Form,
  { url, code }: { readonly url: string; readonly code: string },
): string {
  const blocks = sections.map((section) => section.code.get(form) ?? "");
  return blocks.join("\n").replaceAll("http://127.0.0.1:4700", url).replaceAll("K7M Q2X", code);
}

/** A value with the kinds of its parts in place of the parts. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}
