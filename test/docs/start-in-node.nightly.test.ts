import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeClientPackage } from "../../scripts/client/client-package.ts";
import { CODE } from "./examples/soundferry-at-work.ts";
import { smallWav } from "../wav-bytes.ts";
import { useStartPages } from "./use-start-pages.ts";

// Runs every example in Node of docs/start/, as a developer would.

const run = promisify(execFile);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soundferry-start-"));
  const installed = join(folder, "node_modules", "@soundferry", "client");
  await mkdir(installed, { recursive: true });
  await writeClientPackage(installed);
  await writeFile(join(folder, "beat.wav"), smallWav({ frames: 88_200 }));
  await writeFile(join(folder, "hit.wav"), smallWav());
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

const pages = useStartPages();

async function runInNode(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, "app.mjs"), program);
  const { stdout } = await run(process.execPath, ["app.mjs"], { cwd: folder, timeout: 60_000 });
  return stdout;
}

test("[O9] the client's example that the page leads to sends a sound that is imported", async () => {
  const [program = ""] = pages.codeOf("docs/use/client.md", "js");
  const withCode = program.replaceAll("K7M Q2X", CODE);
  expect(await runInNode(folder, withCode)).toContain("imported");
});

test("[O9] the server's example sends a job, and resumes it", async () => {
  const wav = 'const wav = (await import("node:fs")).readFileSync("beat.wav");\n';
  const program = wav + pages.codeOf("docs/start/first-sound.md", "js").slice(1).join("\n");
  expect(await runInNode(folder, program)).toContain("imported");
  const again = `${program}
      console.log("again", (await sendJob(client, { id: 7, name: "Rendered", bpm: 120, wav })) === packageId);`;
  expect(await runInNode(folder, again)).toContain("again true");
});
