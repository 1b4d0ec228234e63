import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEngines } from "./cluster.ts";
import { describeMissingEngines } from "./programs.ts";

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
  const engines = await startEngines({ max_connections: MOST_CONNECTIONS });
  const { folder: swiftFolder, ports } = engines.swift;
  provide("postgresPort", engines.postgres.port);
  provide("swift", { folder: swiftFolder, ports });
  return async () => {
    await engines[Symbol.asyncDispose]();
    // A nightly part goes on in this process.
    delete process.env["SOUNDFERRY_ENGINES_FOLDER"];
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
}
