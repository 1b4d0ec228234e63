import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { NEW_BECAUSE_NOTES } from "../../addon/relay/new-because-notes.ts";
import type { Fault } from "./fault.ts";
import { RelayCommand } from "../sim/relay-command.ts";
import type { Site } from "./site.ts";

/** Another relay answers at the importer's address, while `work` runs. */
async function exchanged(site: Site, work: () => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-fault-"));
  const other = await RelayCommand.start({ SOUNDFERRY_DATA: join(folder, "data") });
  const own = new Set(site.proxy.authorized.map(({ value }) => value));
  try {
    site.proxy.aimAt(other.url);
    site.proxy.dropConnections();
    await work();
    const seen = site.proxy.authorized.filter(({ target }) => target === other.url);
    expect(seen.filter(({ value }) => own.has(value))).toEqual([]);
  } finally {
    await other.stop("SIGKILL");
    await rm(folder, { recursive: true });
  }
  site.proxy.aimAt(site.relay.url);
  site.proxy.dropConnections();
}

async function importThere(site: Site): Promise<void> {
  const { packages, failures } = await site.import();
  expect(packages).toEqual([]);
  expect(failures).toMatchObject([{ error: NEW_BECAUSE_NOTES["other-relay"] }]);
}

async function importHere(site: Site, count: number): Promise<void> {
  const { packages } = await site.import();
  expect(packages).toHaveLength(count);
  expect((await site.importer.apps()).apps).toHaveLength(1);
}

const APPS_KNOW_THEIRS = "the fault is at the importer's address; an app has the relay's own";
const NOT_SWEPT = "nothing is at the relay that a sweep could meet";

export const ANOTHER_RELAY: Fault = {
  name: "D6",
  what: "another relay answers at the importer's address",
  cells: {
    "before start": {
      send: { leftOut: APPS_KNOW_THEIRS },
      import: {
        rule: "[P9]",
        title: "it sees no token, and the importer's identity is used when its relay is back",
        play: async (site) => {
          await site.sendWaiting(2);
          await exchanged(site, async () => {
            await site.reopenImporter();
            await importThere(site);
          });
          await site.reopenImporter();
          await importHere(site, 2);
        },
      },
      sweep: { leftOut: NOT_SWEPT },
    },
    "while running": {
      send: { leftOut: APPS_KNOW_THEIRS },
      import: {
        rule: "[P9]",
        title: "it sees no token, and the same importer goes on when its relay is back",
        play: async (site) => {
          await site.sendWaiting(2);
          await site.importer.packages();
          await exchanged(site, () => importThere(site));
          await importHere(site, 2);
        },
      },
      sweep: { leftOut: NOT_SWEPT },
    },
  },
};
