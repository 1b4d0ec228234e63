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

test("[O9] the Python page's examples send a sound that is imported", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "beat.wav"), smallWav({ frames: 88_200 }));
  const [program = ""] = pages.codeOf("docs/start/python.md", "python");
  await writeFile(join(folder, "app.py"), program);
  const [, , commands = ""] = pages.codeOf("docs/start/python.md", "sh");
  const env = { ...process.env, HOME: folder, PYTHONPATH: join(ROOT, "client", "python") };
  const options = { cwd: folder, env, timeout: 60_000 };
  expect((await run("python3", ["app.py"], options)).stdout).toContain("imported");
  const { stdout } = await run("bash", ["-euc", commands], options);
  expect(stdout).toContain("imported");
});
