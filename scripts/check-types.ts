import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pLimit from "p-limit";
import { PROJECTS } from "./check/types-projects.ts";

// Type-checks every room for the environment it runs in (Node, a browser, or neither), and once as it is
// published, because a type that checks may still not be emittable in a declaration. With names, only those.

const ROOT = join(import.meta.dirname, "..");
const COMPILER = join(ROOT, "node_modules", "typescript", "bin", "tsc");
/** So that a file is only checked again if its types may have changed. */
const CACHE = join(ROOT, "node_modules", ".cache", "types");

const named = process.argv.slice(2);
const atOnce = pLimit(2);
const checking = (named.length === 0 ? PROJECTS : named).map((project) => atOnce(check, project));
await Promise.all(checking);

async function check(project: string): Promise<void> {
  const cache = join(CACHE, `${project.replaceAll(/\W/g, "-")}.tsbuildinfo`);
  const words = ["--noEmit", "--incremental", "--tsBuildInfoFile", cache, "-p", project];
  const compiling = spawn(process.execPath, [COMPILER, ...words], { cwd: ROOT, stdio: "inherit" });
  const [status] = await once(compiling, "exit");
  if (status !== 0) process.exitCode = 1;
}
