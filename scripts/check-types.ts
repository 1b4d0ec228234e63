import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

// Compiles every room as it will run, without writing anything: on Node, in a browser, or with neither; and once as
// it is published, since a type that holds may still be one that can't be written down.

const ROOT = join(import.meta.dirname, "..");
const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const PROJECTS = [
  ".",
  "tsconfig.build.json",
  "core",
  "client",
  "web",
  "addon/panel",
  "relay/page",
  "tools/preview/page",
];

for (const project of PROJECTS) {
  const options = { cwd: ROOT, stdio: "inherit" } as const;
  const compiling = spawn(process.execPath, [COMPILER, "--noEmit", "-p", project], options);
  const [status] = await once(compiling, "exit");
  if (status !== 0) process.exitCode = 1;
}
