import { once } from "node:events";
import { flushCompileCache } from "node:module";

/**
 * Waits, in a process to be killed, for a line before it touches anything: its modules are loaded. It ends with the
 * process that started it.
 */
export async function whenTold(): Promise<void> {
  flushCompileCache();
  process.stdin.once("end", () => process.exit());
  await once(process.stdin, "data");
}
