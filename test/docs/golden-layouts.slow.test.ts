import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { XMLValidator } from "fast-xml-parser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { smallWav } from "../wav-bytes.ts";
import { runShell, runSteps, type Step, type WorkflowOptions } from "./run-workflow.ts";

// The short form of golden-layouts.nightly.test.ts: the workflow's steps in a shell, with the checkout's command instead
// of an installed package.

const ROOT = join(import.meta.dirname, "../..");
const WORKFLOW = await readFile(join(ROOT, "docs/examples/golden-layouts/layouts.yml"), "utf8");
const page = await readFile(join(ROOT, "docs/use/golden-layouts.md"), "utf8");
const [, MANIFEST = ""] = /^```json\n(.*?)^```$/ms.exec(page) ?? [];
const { steps }: { readonly steps: readonly Step[] } = parse(WORKFLOW).jobs.layouts;

let folder = "";
const library = () => join(folder, "library");

async function shell(lines: string): Promise<void> {
  const { status, printed } = await runShell(lines, library());
  expect(status, printed).toBe(0);
}

/** Runs the workflow in a clone of what is committed; the base is the commit before. */
async function runWorkflow(name: string, event: WorkflowOptions["event"]) {
  const workspace = join(folder, name);
  await shell(`git clone --quiet . ../${name}`);
  const bin = join(workspace, "node_modules", ".bin");
  await mkdir(bin, { recursive: true });
  const command = [process.execPath, join(ROOT, "cli/soundferry.ts")].map((path) => `"${path}"`);
  await writeFile(join(bin, "soundferry"), `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  await chmod(join(bin, "soundferry"), 0o755);
  const act = async (step: Step): Promise<void> => {
    if (step.with?.["path"] !== "base") return;
    await shell(`git clone --quiet . ../${name}/base`);
    expect((await runShell("git checkout --quiet HEAD~1", join(workspace, "base"))).status).toBe(0);
  };
  const run = await runSteps(steps, { workspace, event, act, without: ["Install Soundferry"] });
  const kept = run.actions.find(({ uses }) => uses?.startsWith("actions/upload-artifact"));
  const reports = join(workspace, String(kept?.with?.["path"]));
  const [xml, html] = (await Promise.all(
    ["layouts.xml", "layouts.html"].map((file) => readFile(join(reports, file), "utf8")),
  )) as [string, string];
  expect(await readdir(reports)).toEqual(["layouts.html", "layouts.xml"]);
  expect(XMLValidator.validate(xml)).toBe(true);
  return { ...run, xml, html };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soundferry-workflow-"));
  for (const name of ["half-beat-lengths", "one-shot-kit", "bare-minimum"]) {
    await cp(join(ROOT, "fixtures/packages", name), join(library(), "packages", name), {
      recursive: true,
      filter: (path) => basename(path) !== "findings.json",
    });
  }
  await writeFile(join(library(), "package.json"), MANIFEST);
  await writeFile(join(library(), ".gitignore"), "node_modules\n");
  await shell("git init --quiet --initial-branch main && git add . && git commit --quiet -m All");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("[B10] the workflow passes a library that is as accepted, without a base", async () => {
  const { failed, summary, printed, xml, html, actions } = await runWorkflow("green", "push");
  expect(failed).toEqual([]);
  expect(summary).toMatch(/^## All layouts are as accepted\n\n3 packages, \d+ sounds: 3 match\.\n/);
  expect(printed).not.toContain("::error");
  expect(xml).toContain('failures="0" errors="0"');
  expect(html).toContain("<h1>All layouts are as accepted</h1>");
  expect(actions.map(({ uses }) => uses?.replace(/@.*/, ""))).toEqual([
    "actions/checkout",
    "actions/setup-node",
    "actions/upload-artifact",
  ]);
});

test("[B10][B11] the workflow of a pull request fails for differences, and its reports show them", async () => {
  const path = join(library(), "packages/one-shot-kit/manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  const [first, second] = manifest.items;
  first.gain_db = -6;
  delete second.bytes;
  delete second.sha256;
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(
    join(library(), "packages/one-shot-kit", second.file),
    smallWav({ frames: 4410, fill: 20 }),
  );
  await shell('git commit --quiet -am "Change two sounds"');
  const { failed, summary, printed, xml, html } = await runWorkflow("red", "pull_request");
  expect(failed).toEqual(["Compare every package with what was accepted"]);
  const [gain = "", audio = "", ...more] = printed
    .split("\n")
    .filter((line) => line.startsWith("::error"));
  expect(more).toEqual([]);
  const place = /^::error file=packages\/one-shot-kit\/manifest\.json,line=(\d+),col=\d+,title=/;
  const lines = (await readFile(path, "utf8")).split("\n");
  expect(lines[Number(place.exec(gain)?.[1]) - 1]).toContain('"gain_db": -6');
  expect(lines[Number(place.exec(audio)?.[1]) - 1]).toContain(`"file": "${second.file}"`);
  expect(audio).toContain("the audio changed (");
  expect(summary).toContain(
    "### Kitchen Kit (Spoon \\& Kettle): packages/one-shot-kit/manifest.json",
  );
  expect(summary).toContain(`| ${first.name} | Gain | 0 dB | −6 dB |`);
  expect(xml).toContain('failures="2" errors="0"');
  expect(html).toContain("<h1>1 package differs from what was accepted</h1>");
  // The changed sound as it is now and as it was in the base; of the other one the audio is the same.
  expect([...html.matchAll(/<audio[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label)).toEqual([
    `${first.name}, as accepted`,
    `${second.name}, accepted`,
    `${second.name}, now`,
  ]);
});
