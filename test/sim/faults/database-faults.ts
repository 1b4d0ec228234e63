import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { fillWithZeros } from "../../relay/lost-database/tamperings.ts";
import { bothTimes, type Fault } from "./fault.ts";
import type { Site } from "./site.ts";
import { soon } from "../soon.ts";

const DAY_SECONDS = 86_400;
const SAYS_WHAT_TO_DO = /soundferry relay (restore|check)|Start the relay again/;

async function removeDatabase({ database }: Site): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(database + end, { force: true });
}

function copyOf({ folder }: Site): string {
  return join(folder, "copy.sqlite");
}

/** Copies the database of a relay that is stopped for it. */
async function copyDatabase(site: Site): Promise<void> {
  await site.meet(true, () => cp(site.database, copyOf(site)));
}

async function putDatabaseBack(site: Site, copy = copyOf(site)): Promise<void> {
  await removeDatabase(site);
  await cp(copy, site.database);
}

async function restore(site: Site): Promise<void> {
  await putDatabaseBack(site);
  await site.start();
}

/** A relay whose packages wait is stopped, and its database, of which there is a copy, harmed. */
async function harm(site: Site, work: () => Promise<void> | void): Promise<readonly string[]> {
  await site.sendWaiting(3);
  await site.stop();
  await cp(site.database, copyOf(site));
  await work();
  return site.filesIn("sounds");
}

/** A start without the right database: it refuses, and changes nothing. */
async function expectRefusal(site: Site, files: readonly string[]): Promise<void> {
  const { status, stderr } = await site.refusedStart();
  expect(status).toBe(78);
  expect(stderr).toContain("nothing was changed");
  expect(stderr).toContain("soundferry relay adopt");
  expect(await site.filesIn("sounds")).toEqual(files);
}

/** A start with a damaged database: it refuses, deletes nothing, and says what to do. */
async function expectDamage(site: Site, files: readonly string[]): Promise<void> {
  const { status, stderr } = await site.refusedStart();
  expect(status).toBe(1);
  expect(stderr).toContain("relay.sqlite");
  expect(stderr).toMatch(/soundferry relay (restore|check)/);
  expect(await site.filesIn("sounds")).toEqual(files);
}

/** The relay ends on its own, and says why. */
async function expectEnd(site: Site): Promise<void> {
  const { status, stderr } = await site.ended();
  expect(status).toBe(1);
  expect(stderr).toContain(site.database.replace(/^\/proc\/\d+\/root/, ""));
  expect(stderr).toMatch(SAYS_WHAT_TO_DO);
}

const SEEN_AT_STARTS = "a database that goes away under a running relay is D4";

export const WRONG_DATABASE: Fault = {
  name: "D1",
  what: "the database is missing, empty or older at a start",
  cells: {
    "before start × send": [
      "[Z1] without its database the relay refuses to start, and accepts and deletes nothing",
      async (site) => {
        const files = await harm(site, () => removeDatabase(site));
        await expectRefusal(site, files);
        expect(await site.refusedSend()).toMatchObject({ status: 0 });
        expect(await site.filesIn("sounds")).toEqual(files);
        await restore(site);
      },
    ],
    "before start × import": [
      "[Z1][P9] with an empty database the relay refuses to start, and the importer keeps its identity",
      async (site) => {
        const files = await harm(site, async () => {
          await removeDatabase(site);
          await writeFile(site.database, "");
        });
        await expectRefusal(site, files);
        expect((await site.import()).failures).toHaveLength(1);
        await expectRefusal(site, files);
        await restore(site);
      },
    ],
    "before start × sweep": [
      "[Z4] with an older database newer files are put aside, and come back with the right one",
      async (site) => {
        await copyDatabase(site);
        await site.sendWaiting(2);
        await site.stop();
        const newest = join(site.folder, "newest.sqlite");
        await cp(site.database, newest);
        const before = await site.filesIn("sounds");
        const old = Date.now() / 1000 - DAY_SECONDS;
        for (const file of before) await utimes(file, old, old);
        await restore(site);
        await soon(() => site.filesIn("quarantine")).toHaveLength(2);
        const notices = [expect.stringMatching(/^2 sound/)];
        await soon(() => site.ready()).toMatchObject({ status: 200, json: { notices } });
        await site.stop();
        await putDatabaseBack(site, newest);
        await site.start();
        await soon(() => site.filesIn("sounds")).toHaveLength(before.length);
      },
    ],
    "while running × send": SEEN_AT_STARTS,
    "while running × import": SEEN_AT_STARTS,
    "while running × sweep": SEEN_AT_STARTS,
  },
};

export const CHANGED_DATABASE: Fault = {
  name: "D4",
  what: "the database is overwritten or removed",
  cells: {
    "before start × send": [
      "[Z8] a database of zeros ends the start with a sentence, and nothing is accepted",
      async (site) => {
        const files = await harm(site, () => fillWithZeros(site.database));
        await expectDamage(site, files);
        expect(await site.refusedSend()).toMatchObject({ status: 0 });
        await restore(site);
      },
    ],
    "before start × import": [
      "[Z8] a database whose pages are zeros but for the first imports nothing wrong",
      async (site) => {
        const files = await harm(site, () => fillWithZeros(site.database, 4096));
        await expectDamage(site, files);
        expect((await site.import()).packages).toEqual([]);
        await restore(site);
      },
    ],
    "before start × sweep":
      "a relay that doesn't start sweeps nothing; the cells beside it look at the files",
    "while running × send": [
      "[Z8] a database overwritten by zeros ends the relay, and no package is acknowledged",
      async (site) => {
        await site.sendWaiting(2);
        await copyDatabase(site);
        fillWithZeros(site.database);
        expect([0, 503]).toContain((await site.refusedSend()).status);
        await expectEnd(site);
        await restore(site);
      },
    ],
    "while running × import": [
      "[Z8][R1] a database that is removed ends the relay, and the import is made up for later",
      async (site) => {
        await site.sendWaiting(2);
        await copyDatabase(site);
        rmSync(site.database);
        expect((await site.import()).packages).toEqual([]);
        await expectEnd(site);
        await restore(site);
      },
    ],
    "while running × sweep": [
      "[Z8] a database overwritten by an older copy ends the relay, and it deletes no file",
      async (site) => {
        await copyDatabase(site);
        const older = readFileSync(copyOf(site));
        await site.sendWaiting(2);
        await copyDatabase(site);
        const before = await site.filesIn("sounds");
        writeFileSync(site.database, older);
        await site.shiftClock(1_860_000);
        await expectEnd(site);
        expect(await site.filesIn("sounds")).toEqual(before);
        await site.shiftClock(-1_860_000);
        await restore(site);
      },
    ],
  },
};

/** Lets another program lock the database. A start that finds a lock serves, and refuses every change. */
async function underLock(site: Site, isBefore: boolean, work: () => Promise<void>): Promise<void> {
  const database = new DatabaseSync(site.database);
  await site.meet(isBefore, async () => database.exec("BEGIN IMMEDIATE"));
  try {
    const locked = { status: 503, json: { reason: "locked" } };
    const isLocked = () => soon(() => site.ready()).toMatchObject(locked);
    if (isBefore) await isLocked();
    await Promise.all([work(), isBefore || isLocked()]);
  } finally {
    database.exec("ROLLBACK");
    database.close();
  }
}

export const LOCKED_DATABASE: Fault = {
  name: "D9",
  what: "another program locks the database",
  cells: bothTimes({
    send: [
      "[Z7][Z8] packages are refused with 503 and Retry-After until the lock is gone",
      async (site, isBefore) => {
        await site.sendWaiting(1);
        await underLock(site, isBefore, async () => {
          const refused = await site.refusedSend();
          expect(refused).toMatchObject({ status: 503, json: { code: "NOT_READY" } });
          expect(refused.retryAfter).toMatch(/^\d+$/);
        });
        await site.sendWaiting(1);
      },
    ],
    import: [
      "[Z7][Z8][R1] no package is taken until the lock is gone",
      async (site, isBefore) => {
        await site.sendWaiting(1);
        await underLock(site, isBefore, async () => {
          expect(await site.import()).toMatchObject({ packages: [], failures: [{}] });
        });
      },
    ],
    sweep: [
      "[Z3] what has expired is deleted once the lock is gone, without a restart",
      async (site, isBefore) => {
        await site.sendWaiting(2);
        await underLock(site, isBefore, () => site.passWait());
        await soon(() => site.filesIn("sounds")).toEqual([]);
      },
    ],
  }),
};

export const DATABASE_FAULTS = [WRONG_DATABASE, CHANGED_DATABASE, LOCKED_DATABASE];
