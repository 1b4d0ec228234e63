import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { findWrongImports } from "./ledger.ts";
import type { Site } from "./site.ts";

/** How many packages are sent and imported after each fault. */
const HONEST = Number(process.env["FAULTS_HONEST"] ?? 10);
const SENDERS = 4;
/** For a hundred of them. */
const MINUTE_MS = 60_000;

/**
 * What must hold once a fault is over: packages are sent and imported again within a minute, nothing that was
 * acknowledged is lost, nothing partial is visible, every state is true, and no bytes are left over.
 */
export async function expectAllIsWell(site: Site): Promise<void> {
  const begun = performance.now();
  const counts = Array.from({ length: SENDERS }, (_, at) => Math.ceil((HONEST - at) / SENDERS));
  await Promise.all(counts.map((count) => site.sendWaiting(count)));
  expect((await site.import()).failures).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(MINUTE_MS);
  expect(site.ledger.in("waiting").map(({ id }) => id)).toEqual([]);
  await expectTrueStates(site);
  expect(await findWrongImports(site.ledger.entries)).toEqual([]);
  expect(await strangersIn(join(site.folder, "sounds"))).toEqual([]);
  await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount);
  const ready = { status: 200, json: { notices: [] } };
  await expect.poll(() => site.call("GET", "/readyz")).toMatchObject(ready);
}

async function expectTrueStates(site: Site): Promise<void> {
  const told: [string, unknown, unknown][] = [];
  const promised: typeof told = [];
  for (const { id, state, files, uploaded, hasFiles } of site.ledger.entries) {
    const { status, json } = await site.ask("GET", `/packages/${id}/status`);
    const isThere = (name: string) => (uploaded.has(name) ? "uploaded" : "missing");
    const listed = Object.fromEntries([...files.keys()].map((name) => [name, isThere(name)]));
    told.push([id, status === 404 ? "gone" : json?.status, hasFiles ? json?.files : undefined]);
    promised.push([id, state, hasFiles && state !== "gone" ? listed : undefined]);
  }
  expect(told).toEqual(promised);
}

/** What an importer's folder of sounds has beside sounds and the files that say whose they are. */
async function strangersIn(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && !/^\.soundferry\.json$|\.wav$/.test(entry.name))
    .map(({ name }) => name);
}
