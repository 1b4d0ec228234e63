import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

// Type-checks every room for the environment it runs in (Node, a browser, or neither), and once as it is
// published, because a type that checks may still not be emittable in a declaration.

const ROOT = join(import.meta.dirname, "..");
const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const PROJECTS = [
  ".",
  "tsconfig.build.json",
  "core",
  "client",
  "packages/react",
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
