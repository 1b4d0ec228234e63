import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { fillUp } from "../relay/storage/disk/small-disk.ts";
import type { Fault } from "./fault.ts";
import type { Site } from "./site.ts";

const REFUSED = { status: 507, json: { code: "DISK_FULL" } };
const DEGRADED = { status: 200, json: { degraded: "full", notices: [expect.any(String)] } };

/** Something else fills the relay's disk, before a start or while it runs. */
async function fill(site: Site, isBefore: boolean): Promise<void> {
  if (isBefore) await site.stop();
  await fillUp(fillerOf(site));
  if (isBefore) await site.start();
}

function fillerOf({ data }: Site): string {
  return join(data, "..", "filler");
}

async function end(site: Site): Promise<void> {
  await rm(fillerOf(site));
  await expect
    .poll(() => site.call("GET", "/readyz"))
    .toMatchObject({ status: 200, json: { notices: [] } });
}

async function send(site: Site, isBefore: boolean): Promise<void> {
  const unfinished = await site.announce();
  if (!("id" in unfinished)) throw new Error("It was refused.");
  await fill(site, isBefore);
  // The database's files may still have room of their own.
  await expect.poll(() => site.announce(), { timeout: 60_000 }).toMatchObject(REFUSED);
  const refused = await site.upload(unfinished, "a.wav");
  expect(refused).toMatchObject(REFUSED);
  expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  // An answer may be a second old.
  await expect.poll(() => site.call("GET", "/readyz")).toMatchObject(DEGRADED);
  await end(site);
  expect((await site.upload(unfinished, "a.wav")).status).toBe(200);
  expect((await site.commit(unfinished)).status).toBe(200);
}

async function importing(site: Site, isBefore: boolean): Promise<void> {
  await site.sendWaiting(3);
  await fill(site, isBefore);
  const { packages, failures } = await site.import();
  expect(failures).toEqual([]);
  expect(packages.map(({ status }) => status)).toEqual(["imported", "imported", "imported"]);
  await end(site);
}

async function sweep(site: Site, isBefore: boolean): Promise<void> {
  await site.sendWaiting(3, ["large.wav"], 300_000);
  await fill(site, isBefore);
  const [withdrawn] = site.ledger.in("waiting");
  if (withdrawn === undefined) throw new Error("Nothing waits.");
  expect((await site.withdraw(withdrawn)).status).toBe(200);
  await site.passWait();
  await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount);
  await end(site);
}

const titles = {
  send: "announcing and uploading are 507, nothing partial stays, and the same package goes on later",
  import: "what waits is taken, downloaded and reported",
  sweep: "withdrawing and expiry delete, and so make room",
};

const cells = (isBefore: boolean) => ({
  send: { rule: "[Z7]", title: titles.send, play: (site: Site) => send(site, isBefore) },
  import: { rule: "[Z7]", title: titles.import, play: (site: Site) => importing(site, isBefore) },
  sweep: { rule: "[Z7][Z3]", title: titles.sweep, play: (site: Site) => sweep(site, isBefore) },
});

export const FULL_DISK: Fault = {
  name: "D2",
  what: "the disk is full",
  site: { diskSize: "16m" },
  cells: { "before start": cells(true), "while running": cells(false) },
};
