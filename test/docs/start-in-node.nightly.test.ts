import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeClientPackage } from "../../scripts/client/client-package.ts";
import { smallWav } from "../wav-bytes.ts";
import { useStartPages } from "./use-start-pages.ts";

// Runs every example in Node of docs/start/ and docs/start/going-to-production.md, as a developer would.

const run = promisify(execFile);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soundferry-start-"));
  const installed = join(folder, "node_modules", "@soundferry", "client");
  await mkdir(installed, { recursive: true });
  await writeClientPackage(installed);
  await writeFile(join(folder, "beat.wav"), smallWav({ frames: 88_200 }));
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

const pages = useStartPages();

async function runInNode(folder: string, program: string): Promise<string> {
  await writeFile(join(folder, "app.mjs"), program);
  const { stdout } = await run(process.execPath, ["app.mjs"], { cwd: folder, timeout: 60_000 });
  return stdout;
}

test("[O9] the Node page's example sends a sound that is imported", async () => {
  const [program = ""] = pages.codeOf("docs/start/node.md", "js");
  expect(await runInNode(folder, program)).toContain("imported");
});

test("[O9] the server page's example sends a job, and resumes it", async () => {
  const wav = 'const wav = (await import("node:fs")).readFileSync("beat.wav");\n';
  const program = wav + pages.codeOf("docs/start/backend.md", "js").join("\n");
  expect(await runInNode(folder, program)).toContain("imported");
  const again = `${program}
      console.log("again", (await sendJob(client, { id: 7, name: "Rendered", bpm: 120, wav })) === packageId);`;
  expect(await runInNode(folder, again)).toContain("again true");
});

test("[O9] errors are explained as the page on production shows", async () => {
  const [, explain = ""] = pages.codeOf("docs/start/going-to-production.md", "js");
  const program = `${explain}
      console.log(explain(new ClientError("The relay is full.")));
      console.log(explain(new ClientError("No.", { status: 401 })));`;
  expect(await runInNode(folder, program)).toBe("The relay is full.\nPair again.\n");
});
