import { cp, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Fault } from "./fault.ts";
import type { Site } from "./site.ts";

const ENDS = ["", "-wal", "-shm"];
const DAY_SECONDS = 86_400;
const SEEN_AT_STARTS = "a database that goes away under a running relay is D4";

/** The path of the database, or of a copy beside the data folder. */
function database({ data }: Site): string {
  return join(data, "relay.sqlite");
}

function copyOf(site: Site): string {
  return join(site.folder, "copy.sqlite");
}

export async function removeDatabase(site: Site): Promise<void> {
  for (const end of ENDS) await rm(database(site) + end, { force: true });
}

/** Copies the database of a relay that is stopped for it. */
export async function copyDatabase(site: Site): Promise<void> {
  await site.stop();
  await cp(database(site), copyOf(site));
  await site.start();
}

export async function putDatabaseBack(site: Site): Promise<void> {
  await removeDatabase(site);
  await cp(copyOf(site), database(site));
}

/** A stopped relay whose packages wait, with a copy of its database. */
async function stopWithPackages(site: Site): Promise<readonly string[]> {
  await site.sendWaiting(3);
  await site.stop();
  await cp(database(site), copyOf(site));
  return site.filesIn("sounds");
}

async function expectRefusal(site: Site): Promise<void> {
  const { status, stderr } = await site.refusedStart();
  expect(status).toBe(78);
  expect(stderr).toContain("nothing was changed");
  expect(stderr).toContain("soundferry relay adopt");
}

export const WRONG_DATABASE: Fault = {
  name: "D1",
  what: "the database is missing, empty or older at a start",
  cells: {
    "before start": {
      send: {
        rule: "[Z1]",
        title: "without its database the relay refuses to start, and accepts and deletes nothing",
        play: async (site) => {
          const files = await stopWithPackages(site);
          await removeDatabase(site);
          await expectRefusal(site);
          expect(await site.send()).toMatchObject({ status: 0 });
          expect(await site.filesIn("sounds")).toEqual(files);
          await putDatabaseBack(site);
          await site.start();
        },
      },
      import: {
        rule: "[Z1][P9]",
        title:
          "with an empty database the relay refuses to start, and the importer keeps its identity",
        play: async (site) => {
          const files = await stopWithPackages(site);
          await removeDatabase(site);
          await writeFile(database(site), "");
          await expectRefusal(site);
          expect((await site.import()).failures).toHaveLength(1);
          await expectRefusal(site);
          expect(await site.filesIn("sounds")).toEqual(files);
          await putDatabaseBack(site);
          await site.start();
        },
      },
      sweep: {
        rule: "[Z4]",
        title: "with an older database newer files are put aside, and come back with the right one",
        play: async (site) => {
          await copyDatabase(site);
          await site.sendWaiting(2);
          await site.stop();
          const newest = join(site.folder, "newest.sqlite");
          await cp(database(site), newest);
          const before = await site.filesIn("sounds");
          const old = Date.now() / 1000 - DAY_SECONDS;
          for (const file of before) await utimes(file, old, old);
          await putDatabaseBack(site);
          await site.start();
          await expect.poll(() => site.filesIn("quarantine")).toHaveLength(2);
          await expect
            .poll(() => site.call("GET", "/readyz"))
            .toMatchObject({ status: 200, json: { notices: [expect.stringMatching(/^2 sound/)] } });
          await site.stop();
          await removeDatabase(site);
          await cp(newest, database(site));
          await site.start();
          await expect.poll(() => site.filesIn("sounds")).toHaveLength(before.length);
        },
      },
    },
    "while running": {
      send: { leftOut: SEEN_AT_STARTS },
      import: { leftOut: SEEN_AT_STARTS },
      sweep: { leftOut: SEEN_AT_STARTS },
    },
  },
};
