import { unlink } from "node:fs/promises";
import { expect } from "vitest";
import { LOST_AT_RELAY } from "../../addon/runs/fetch-sounds.ts";
import type { Fault } from "./fault.ts";
import type { Entry } from "./ledger.ts";
import type { Site } from "./site.ts";

/** Deletes one of a package's files, behind the relay's back, before a start or while it runs. */
async function loseOne(site: Site, { id }: Entry, isBefore: boolean): Promise<void> {
  if (isBefore) await site.stop();
  const file = (await site.filesIn("sounds")).find((path) => path.includes(id));
  await unlink(file ?? "");
  if (isBefore) await site.start();
}

async function announceTwo(site: Site): Promise<Entry> {
  const entry = await site.announce(["a.wav", "b.wav"]);
  if (!("id" in entry)) throw new Error("It was refused.");
  for (const name of ["a.wav", "b.wav"]) await site.upload(entry, name);
  return entry;
}

async function send(site: Site, isBefore: boolean): Promise<void> {
  const entry = await announceTwo(site);
  await loseOne(site, entry, isBefore);
  const refused = await site.commit(entry);
  expect(refused).toMatchObject({ status: 409, json: { missing: [expect.any(String)] } });
  const [missing] = refused.json.missing;
  const { json } = await site.ask("GET", `/packages/${entry.id}/status`);
  expect(json.files[missing]).toBe("missing");
  expect((await site.upload(entry, missing)).status).toBe(200);
  expect((await site.commit(entry)).status).toBe(200);
}

async function importing(site: Site, isBefore: boolean): Promise<void> {
  const entry = await announceTwo(site);
  await site.commit(entry);
  await loseOne(site, entry, isBefore);
  const { packages } = await site.import();
  expect(packages).toMatchObject([{ package_id: entry.id, status: "partial" }]);
  const tracks = packages[0]?.tracks ?? [];
  expect(new Set(tracks.map(({ error }) => error))).toEqual(new Set([LOST_AT_RELAY, null]));
  const { json } = await site.ask("GET", `/packages/${entry.id}/status`);
  const lost = Object.keys(json.files).filter((name) => json.files[name] === "missing");
  expect(lost).toHaveLength(1);
  for (const name of lost) entry.uploaded.delete(name);
}

async function sweep(site: Site, isBefore: boolean): Promise<void> {
  const entry = await announceTwo(site);
  await site.commit(entry);
  await loseOne(site, entry, isBefore);
  await site.passWait();
  await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount);
}

const titles = {
  send: "the commit names it, and after it was sent again the package waits",
  import: "it is skipped with a sentence, and the other one is imported",
  sweep: "what is left of the package expires anyway",
};

const cells = (isBefore: boolean) => ({
  send: { rule: "[Z2]", title: titles.send, play: (site: Site) => send(site, isBefore) },
  import: {
    rule: "[Z2][R1]",
    title: titles.import,
    play: (site: Site) => importing(site, isBefore),
  },
  sweep: { rule: "[Z3]", title: titles.sweep, play: (site: Site) => sweep(site, isBefore) },
});

export const LOST_SOUNDS: Fault = {
  name: "D5",
  what: "a sound file is lost",
  cells: { "before start": cells(true), "while running": cells(false) },
};
