import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMissingEngines } from "../../scaled/engines/programs.ts";

/** Vitest calls this once a run: all engines lie in one folder, which is removed once they have ended. */
export async function setup(): Promise<() => Promise<void>> {
  const missing = describeMissingEngines();
  if (missing !== undefined) throw new Error(missing);
  const folder = await mkdtemp(join(tmpdir(), "soundferry-engines-"));
  // Engines may run as another user, in folders that only they can enter.
  await chmod(folder, 0o711);
  process.env["SOUNDFERRY_ENGINES_FOLDER"] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
