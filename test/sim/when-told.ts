import { once } from "node:events";
import { flushCompileCache } from "node:module";

/**
 * For a process to be killed: its modules are loaded, and it waits for a line before it touches anything. It ends
 * with the process that started it.
 */
export async function whenTold(): Promise<void> {
  flushCompileCache();
  process.stdin.once("end", () => process.exit());
  await once(process.stdin, "data");
}
