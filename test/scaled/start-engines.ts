import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startPostgres } from "../../scaled/engines/postgres.ts";
import { describeMissingEngines } from "../../scaled/engines/programs.ts";
import { startSwift } from "../../scaled/engines/swift.ts";

/** All workers connect to one server, each with several relays at once. */
const MOST_CONNECTIONS = "600";

/** Vitest calls this once a run: all engines lie in one folder, and one of each serves all workers. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const missing = describeMissingEngines();
  if (missing !== undefined) throw new Error(missing);
  const folder = await mkdtemp(join(tmpdir(), "soundferry-engines-"));
  // Engines may run as another user, in folders that only they can enter.
  await chmod(folder, 0o711);
  process.env["SOUNDFERRY_ENGINES_FOLDER"] = folder;
  const [postgres, swift] = await Promise.all([
    startPostgres({ settings: { max_connections: MOST_CONNECTIONS } }),
    startSwift(),
  ]);
  provide("postgresPort", postgres.port);
  provide("swift", { folder: swift.folder, ports: swift.ports });
  return async () => {
    await Promise.all([postgres, swift].map((engine) => engine.kill()));
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}
