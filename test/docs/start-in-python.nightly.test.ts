import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { smallWav } from "../wav-bytes.ts";
import { useStartPages } from "./use-start-pages.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, "../..");
const pages = useStartPages();

test("[O9] the commands for Python send a sound that is imported", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "beat.wav"), smallWav({ frames: 88_200 }));
  const commands = pages
    .codeOf("docs/start/first-sound.md", "sh")
    .filter((lines) => lines.startsWith("python3 -m soundferry"))
    .join("");
  const env = { ...process.env, HOME: folder, PYTHONPATH: join(ROOT, "client", "python") };
  const options = { cwd: folder, env, timeout: 60_000 };
  const { stdout } = await run("bash", ["-euc", commands], options);
  expect(stdout).toContain("imported");
});
