import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

// Compiles every room as it will run, without writing anything: on Node, in a browser, or with neither.

const ROOT = join(import.meta.dirname, "..");
const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const PROJECTS = [".", "core", "client", "web", "addon/panel", "relay/page", "cli/preview/page"];

for (const project of PROJECTS) {
  const options = { cwd: ROOT, stdio: "inherit" } as const;
  const compiling = spawn(process.execPath, [COMPILER, "--noEmit", "-p", project], options);
  const [status] = await once(compiling, "exit");
  if (status !== 0) process.exitCode = 1;
}
