import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { missingEngines } from "../../scaled/engines/programs.ts";

/** Vitest calls this once a run: all engines lie in one folder, which is removed once they have ended. */
export async function setup(): Promise<() => Promise<void>> {
  const missing = missingEngines();
  if (missing.length > 0) {
    throw new Error(`Not installed, with Debian's packages: ${missing.join(", ")}`);
  }
  const folder = await mkdtemp(join(tmpdir(), "soundferry-engines-"));
  // Engines may run as another user, in folders that only they can enter.
  await chmod(folder, 0o711);
  process.env["SOUNDFERRY_ENGINES_FOLDER"] = folder;
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
