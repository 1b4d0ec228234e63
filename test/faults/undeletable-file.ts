import { relative } from "node:path";
import { expect } from "vitest";
import type { Fault } from "./fault.ts";
import type { Entry } from "./ledger.ts";
import type { Site } from "./site.ts";

/** What keeps a package's file from being deleted, until it is ended. Returns how to end that. */
async function pin(site: Site, { id }: Entry): Promise<() => Promise<void>> {
  const { disk } = site;
  if (disk === undefined) throw new Error("This needs a disk of its own.");
  const file = (await site.filesIn("sounds")).find((each) => each.includes(id));
  const path = relative(disk.outside, file ?? "");
  await disk.pin(path);
  return () => disk.unpin(path);
}

async function newest(site: Site): Promise<Entry> {
  await site.sendWaiting(1);
  const entry = site.ledger.in("waiting").at(-1);
  if (entry === undefined) throw new Error("Nothing waits.");
  return entry;
}

const NOTHING_DELETED = "an import deletes nothing at the relay";

export const UNDELETABLE_FILE: Fault = {
  name: "D8",
  what: "a file can't be deleted (EBUSY)",
  site: { diskSize: "16m" },
  cells: {
    "before start": {
      send: { leftOut: "a file can only be replaced while the relay runs" },
      import: { leftOut: NOTHING_DELETED },
      sweep: {
        rule: "[Z3]",
        title: "the file stays on record over the start, and goes without another one",
        play: async (site) => {
          const entry = await newest(site);
          const unpin = await pin(site, entry);
          expect((await site.withdraw(entry)).status).toBe(200);
          await site.restart();
          await expect.poll(() => site.relay.stderr).toContain("sweep failed");
          expect(await site.filesIn("sounds")).toHaveLength(site.ledger.fileCount + 1);
          await unpin();
          await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount);
        },
      },
    },
    "while running": {
      send: {
        rule: "[Z3]",
        title: "a file that is sent again takes its place, and the old one goes later",
        play: async (site) => {
          const entry = await site.announce();
          if (!("id" in entry)) throw new Error("It was refused.");
          await site.upload(entry, "a.wav");
          const unpin = await pin(site, entry);
          expect((await site.upload(entry, "a.wav")).status).toBe(200);
          expect((await site.commit(entry)).status).toBe(200);
          await unpin();
          await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount);
        },
      },
      import: { leftOut: NOTHING_DELETED },
      sweep: {
        rule: "[Z3]",
        title: "every other file that is due goes, and this one once it can",
        play: async (site) => {
          const entry = await newest(site);
          await site.sendWaiting(3);
          const unpin = await pin(site, entry);
          await site.passWait();
          await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount + 1);
          await expect.poll(() => site.relay.stderr).toContain("sweep failed");
          await unpin();
          await expect.poll(() => site.filesIn("sounds")).toHaveLength(site.ledger.fileCount);
        },
      },
    },
  },
};
