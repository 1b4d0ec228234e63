import { expect } from "vitest";
import type { Fault } from "./fault.ts";
import type { Site } from "./site.ts";

const TWO_DAYS_MS = 172_800_000;

/** The clock is two days ahead, from a start on or while the relay runs. Resolves once the relay says so. */
async function setAhead(site: Site, isBefore: boolean): Promise<void> {
  if (isBefore) await site.stop();
  await site.shiftClock(TWO_DAYS_MS);
  if (isBefore) await site.start();
  await expect
    .poll(() => site.call("GET", "/readyz"))
    .toMatchObject({ status: 200, json: { notices: [expect.stringContaining("clock")] } });
}

/** The clock is right again, and the relay starts with it. */
async function end(site: Site): Promise<void> {
  await site.stop();
  await site.shiftClock(-TWO_DAYS_MS);
  await site.start();
}

async function send(site: Site, isBefore: boolean): Promise<void> {
  await site.sendWaiting(2);
  await setAhead(site, isBefore);
  await site.sendWaiting(2);
  await end(site);
  expect((await site.import()).packages).toHaveLength(4);
}

async function importing(site: Site, isBefore: boolean): Promise<void> {
  await site.sendWaiting(3);
  await setAhead(site, isBefore);
  expect((await site.import()).packages.map(({ status }) => status)).toEqual([
    "imported",
    "imported",
    "imported",
  ]);
  await end(site);
}

async function sweep(site: Site, isBefore: boolean): Promise<void> {
  await site.sendWaiting(3);
  const before = await site.filesIn("sounds");
  await setAhead(site, isBefore);
  const sweepsUntil = performance.now() + 3000;
  await expect.poll(() => performance.now()).toBeGreaterThan(sweepsUntil);
  expect(await site.filesIn("sounds")).toEqual(before);
  await end(site);
  expect((await site.import()).packages).toHaveLength(3);
}

const titles = {
  send: "what was sent before and meanwhile waits, also with the right clock",
  import: "everything that waits is imported whole",
  sweep: "no file is deleted, and after that every package is imported",
};

const cells = (isBefore: boolean) => ({
  send: { rule: "[Z6]", title: titles.send, play: (site: Site) => send(site, isBefore) },
  import: { rule: "[Z6]", title: titles.import, play: (site: Site) => importing(site, isBefore) },
  sweep: { rule: "[Z6]", title: titles.sweep, play: (site: Site) => sweep(site, isBefore) },
});

export const WRONG_CLOCK: Fault = {
  name: "D3",
  what: "the clock is two days ahead",
  cells: { "before start": cells(true), "while running": cells(false) },
};
