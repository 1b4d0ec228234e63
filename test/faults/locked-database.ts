import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { Fault } from "./fault.ts";
import type { Site } from "./site.ts";

/** Another program's lock on the database, until it is disposed. */
class Lock implements Disposable {
  readonly #database: DatabaseSync;

  constructor({ data }: Site) {
    this.#database = new DatabaseSync(join(data, "relay.sqlite"));
    this.#database.exec("BEGIN IMMEDIATE");
  }

  [Symbol.dispose](): void {
    this.#database.exec("ROLLBACK");
    this.#database.close();
  }
}

async function expectLocked(site: Site): Promise<void> {
  await expect
    .poll(() => site.call("GET", "/readyz"))
    .toMatchObject({ status: 503, json: { reason: "locked" } });
}

/** A start that finds a lock: the relay serves, refuses every change until the lock is gone, and then goes on. */
async function startLocked(site: Site, work: () => Promise<void>): Promise<void> {
  await site.stop();
  using _lock = new Lock(site);
  await site.start();
  await expectLocked(site);
  await work();
}

export const LOCKED_DATABASE: Fault = {
  name: "D9",
  what: "another program locks the database",
  cells: {
    "before start": {
      send: {
        rule: "[Z7]",
        title: "the relay starts, and packages are refused with 503 until the lock is gone",
        play: async (site) => {
          await site.sendWaiting(1);
          await startLocked(site, async () => {
            expect(await site.send()).toMatchObject({ status: 503, json: { code: "NOT_READY" } });
          });
          await site.sendWaiting(1);
        },
      },
      import: {
        rule: "[Z7][R1]",
        title: "the relay starts, and no package is taken until the lock is gone",
        play: async (site) => {
          await site.sendWaiting(1);
          await startLocked(site, async () => {
            expect(await site.import()).toMatchObject({ packages: [], failures: [{}] });
          });
        },
      },
      sweep: {
        rule: "[Z3]",
        title: "the relay starts, and what has expired is deleted once the lock is gone",
        play: async (site) => {
          await site.sendWaiting(2);
          await startLocked(site, () => site.passWait());
          await expect.poll(() => site.filesIn("sounds")).toEqual([]);
        },
      },
    },
    "while running": {
      send: {
        rule: "[Z8]",
        title:
          "packages are refused with 503 and Retry-After, and the relay says why it isn't ready",
        play: async (site) => {
          using _lock = new Lock(site);
          const [answer] = await Promise.all([site.send(), expectLocked(site)]);
          expect(answer).toMatchObject({ status: 503, json: { code: "NOT_READY" } });
          expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
        },
      },
      import: {
        rule: "[Z8][R1]",
        title: "no package is taken, and it waits on",
        play: async (site) => {
          await site.sendWaiting(1);
          using _lock = new Lock(site);
          expect(await site.import()).toMatchObject({ packages: [], failures: [{}] });
        },
      },
      sweep: {
        rule: "[Z3]",
        title: "what has expired is deleted once the lock is gone, without a restart",
        play: async (site) => {
          await site.sendWaiting(2);
          {
            using _lock = new Lock(site);
            await site.passWait();
            await expectLocked(site);
          }
          await expect.poll(() => site.filesIn("sounds")).toEqual([]);
        },
      },
    },
  },
};
