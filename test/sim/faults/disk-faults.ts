import { unlink } from "node:fs/promises";
import { relative } from "node:path";
import { expect } from "vitest";
import { LOST_AT_RELAY } from "../../../addon/runs/fetch-sounds.ts";
import { bothTimes, type Fault } from "./fault.ts";
import type { Site } from "./site.ts";
import { soon } from "../soon.ts";

const TWO = ["a.wav", "b.wav"];

/** A package that was announced, with its uploads; returns its key. */
async function uploaded({ app }: Site, names: readonly string[] = ["a.wav"]): Promise<string> {
  const key = await app.pack(names, 100);
  await app.announce(key);
  await app.uploadAll(key);
  return key;
}

/** The relay's file of a package. */
async function fileOf(site: Site, key: string): Promise<string> {
  const { id = "" } = site.app.package(key);
  return (await site.filesIn("sounds")).find((path) => path.includes(id)) ?? "";
}

/** Something else fills the relay's disk, before a start or while it runs, until the work is done. */
async function onFullDisk(site: Site, isBefore: boolean, work: () => Promise<void>): Promise<void> {
  await site.meet(isBefore, () => site.disk.fillUp());
  await work();
  await site.disk.clear();
  await soon(() => site.ready()).toMatchObject({ status: 200, json: { notices: [] } });
  expect((await site.ready()).json.degraded).toBeUndefined();
}

const FULL_DISK: Fault = {
  name: "D2",
  what: "the disk is full",
  site: { diskSize: "16m" },
  cells: bothTimes({
    send: [
      "[Z7] announcing and uploading are 507, nothing partial stays, and the same package goes on later",
      async (site, isBefore) => {
        const { app } = site;
        const key = await app.pack(["a.wav"], 100);
        await app.announce(key);
        await onFullDisk(site, isBefore, async () => {
          const full = { status: 507, json: { code: "DISK_FULL" }, retryAfter: "60" };
          // The database's files may still have room of their own.
          const announce = async () => app.announce(await app.pack(["a.wav"], 100));
          await soon(() => site.refusal(announce())).toMatchObject(full);
          expect(await site.refusal(app.upload(key, "a.wav"))).toMatchObject(full);
          // An answer may be a second old.
          const degraded = { degraded: "full", notices: [expect.any(String)] };
          await soon(() => site.ready()).toMatchObject({ status: 200, json: degraded });
        });
        await app.upload(key, "a.wav");
        await app.commit(key);
      },
    ],
    import: [
      "[Z7] what waits is taken, downloaded and reported",
      async (site, isBefore) => {
        await site.sendWaiting(3);
        await onFullDisk(site, isBefore, async () => {
          const { packages, failures } = await site.import();
          expect(failures).toEqual([]);
          expect(packages.map(({ status }) => status)).toEqual(Array(3).fill("imported"));
        });
      },
    ],
    sweep: [
      "[Z7][Z3] withdrawing and expiry delete, and so make room",
      async (site, isBefore) => {
        await site.sendWaiting(3, ["large.wav"], 300_000);
        await onFullDisk(site, isBefore, async () => {
          await site.app.withdraw(site.waiting[0]?.key ?? "");
          await site.passWait();
          await site.expectNoFileLeft();
        });
      },
    ],
  }),
};

/** Deletes one of a package's files, behind the relay's back, before a start or while it runs. */
async function loseOne(site: Site, key: string, isBefore: boolean): Promise<void> {
  await site.meet(isBefore, async () => unlink(await fileOf(site, key)));
}

async function missingOf({ app }: Site, key: string): Promise<readonly string[]> {
  const { files } = (await app.status(key)).json;
  return Object.keys(files).filter((name) => files[name] === "missing");
}

const LOST_SOUNDS: Fault = {
  name: "D5",
  what: "a sound file is lost",
  cells: bothTimes({
    send: [
      "[Z2] the commit names it, and after it was sent again the package waits",
      async (site, isBefore) => {
        const key = await uploaded(site, TWO);
        await loseOne(site, key, isBefore);
        const refused = await site.refusal(site.app.commit(key));
        expect(refused).toMatchObject({ status: 409, json: { missing: [expect.any(String)] } });
        expect(await missingOf(site, key)).toEqual(refused.json.missing);
        await site.app.upload(key, refused.json.missing[0]);
        await site.app.commit(key);
      },
    ],
    import: [
      "[Z2][R1] it is skipped with a sentence, and the other one is imported",
      async (site, isBefore) => {
        const key = await site.app.send(TWO, 100);
        await loseOne(site, key, isBefore);
        const { packages } = await site.import();
        const { id } = site.app.package(key);
        expect(packages).toMatchObject([{ package_id: id, status: "partial" }]);
        const errors = packages[0]?.tracks.map(({ error }) => error);
        expect(new Set(errors)).toEqual(new Set([LOST_AT_RELAY, null]));
        const missing = await missingOf(site, key);
        expect(missing).toHaveLength(1);
        await site.app.note({ key, missing: missing[0] ?? "" });
      },
    ],
    sweep: [
      "[Z3] what is left of the package expires anyway",
      async (site, isBefore) => {
        await loseOne(site, await site.app.send(TWO, 100), isBefore);
        await site.passWait();
        await site.expectNoFileLeft();
      },
    ],
  }),
};

/** Keeps a package's file from being deleted, while the work is done. */
async function pinned(site: Site, key: string, work: () => Promise<void>): Promise<void> {
  const { disk } = site;
  const path = relative(disk.outside, await fileOf(site, key));
  await disk.pin(path);
  await work();
  await disk.unpin(path);
  await site.expectNoFileLeft();
}

async function expectStuck(site: Site): Promise<void> {
  await soon(() => site.relay.stderr).toContain("sweep failed");
  await site.expectNoFileLeft(1);
}

const NOTHING_DELETED = "an import deletes nothing at the relay";

const UNDELETABLE_FILE: Fault = {
  name: "D8",
  what: "a file can't be deleted (EBUSY)",
  site: { diskSize: "16m" },
  cells: {
    "before start × send": "a file can only be replaced while the relay runs",
    "before start × import": NOTHING_DELETED,
    "before start × sweep": [
      "[Z3] the file stays on record over the start, and goes without another one",
      async (site) => {
        const key = await site.app.send(["a.wav"], 100);
        await pinned(site, key, async () => {
          await site.app.withdraw(key);
          await site.restart();
          await expectStuck(site);
        });
      },
    ],
    "while running × send": [
      "[Z3] a file that is sent again takes its place, and the old one goes later",
      async (site) => {
        const key = await uploaded(site);
        await pinned(site, key, async () => {
          await site.app.upload(key, "a.wav");
          await site.app.commit(key);
        });
      },
    ],
    "while running × import": NOTHING_DELETED,
    "while running × sweep": [
      "[Z3] every other file that is due goes, and this one once it can",
      async (site) => {
        const key = await site.app.send(["a.wav"], 100);
        await site.sendWaiting(3);
        await pinned(site, key, async () => {
          await site.passWait();
          await expectStuck(site);
        });
      },
    ],
  },
};

export const DISK_FAULTS = [FULL_DISK, LOST_SOUNDS, UNDELETABLE_FILE];
