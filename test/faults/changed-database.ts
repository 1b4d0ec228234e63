import {
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Fault } from "./fault.ts";
import type { Site } from "./site.ts";
import { copyDatabase, putDatabaseBack, removeDatabase } from "./wrong-database.ts";

function pathOf({ data }: Site): string {
  return join(data, "relay.sqlite");
}

/** Overwrites a file in place. @param from where the zeros begin */
function fillWithZeros(path: string, from = 0): void {
  const handle = openSync(path, "r+");
  const bytes = Buffer.alloc(statSync(path).size - from);
  writeSync(handle, bytes, 0, bytes.byteLength, from);
  closeSync(handle);
}

/** The relay ends on its own, and says why. */
async function expectEnd(site: Site): Promise<void> {
  const { status, stderr } = await site.ended();
  expect(status).toBe(1);
  expect(stderr).toContain(pathOf(site).replace(/^\/proc\/\d+\/root/, ""));
  expect(stderr).toMatch(/soundferry relay (restore|check)|Start the relay again/);
}

async function restore(site: Site): Promise<void> {
  await putDatabaseBack(site);
  await site.start();
}

/** A start that refuses, deletes nothing, and says what to do. */
async function expectRefusedStart(site: Site, before: readonly string[]): Promise<void> {
  const { status, stderr } = await site.refusedStart();
  expect(status).toBe(1);
  expect(stderr).toContain("relay.sqlite");
  expect(stderr).toMatch(/soundferry relay (restore|check)/);
  expect(await site.filesIn("sounds")).toEqual(before);
}

export const CHANGED_DATABASE: Fault = {
  name: "D4",
  what: "the database is overwritten or removed",
  cells: {
    "before start": {
      send: {
        rule: "[Z8]",
        title: "a database of zeros ends the start with a sentence, and nothing is accepted",
        play: async (site) => {
          await site.sendWaiting(2);
          await copyDatabase(site);
          await site.stop();
          const before = await site.filesIn("sounds");
          fillWithZeros(pathOf(site));
          await expectRefusedStart(site, before);
          expect(await site.send()).toMatchObject({ status: 0 });
          await restore(site);
        },
      },
      import: {
        rule: "[Z8]",
        title: "a database whose pages are zeros but for the first imports nothing wrong",
        play: async (site) => {
          await site.sendWaiting(2);
          await copyDatabase(site);
          await site.stop();
          const before = await site.filesIn("sounds");
          fillWithZeros(pathOf(site), 4096);
          await expectRefusedStart(site, before);
          expect((await site.import()).packages).toEqual([]);
          await restore(site);
        },
      },
      sweep: {
        leftOut: "a relay that doesn't start sweeps nothing; the cells beside it look at the files",
      },
    },
    "while running": {
      send: {
        rule: "[Z8]",
        title: "a database overwritten by zeros ends the relay, and no package is acknowledged",
        play: async (site) => {
          await site.sendWaiting(2);
          await copyDatabase(site);
          fillWithZeros(pathOf(site));
          expect([0, 503]).toContain((await site.send()).status);
          await expectEnd(site);
          await restore(site);
        },
      },
      import: {
        rule: "[Z8][R1]",
        title: "a database that is removed ends the relay, and the import is made up for later",
        play: async (site) => {
          await site.sendWaiting(2);
          await copyDatabase(site);
          rmSync(pathOf(site));
          const { packages } = await site.import();
          expect(packages).toEqual([]);
          await expectEnd(site);
          await removeDatabase(site);
          await restore(site);
        },
      },
      sweep: {
        rule: "[Z8]",
        title: "a database overwritten by an older copy ends the relay, and it deletes no file",
        play: async (site) => {
          await copyDatabase(site);
          const older = readFileSync(join(site.folder, "copy.sqlite"));
          await site.sendWaiting(2);
          await copyDatabase(site);
          const before = await site.filesIn("sounds");
          writeFileSync(pathOf(site), older);
          await site.shiftClock(1_860_000);
          await expectEnd(site);
          expect(await site.filesIn("sounds")).toEqual(before);
          await site.shiftClock(-1_860_000);
          await restore(site);
        },
      },
    },
  },
};
