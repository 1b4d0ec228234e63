import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { DiskError } from "../../../addon/disk/disk-error.ts";
import { RelayError, RelayUnreachableError } from "../../../core/importer/relay-errors.ts";
import { ConnectionLostError } from "../../../core/importer/import-errors.ts";
import { AutoImport } from "../../../addon/runs/auto-import.ts";
import type { ImporterState } from "../../../addon/state/importer-state.ts";
import { ManualTimers } from "../manual-timers.ts";
import { newStore } from "./new-store.ts";

function setUp(failure?: unknown) {
  const timers = new ManualTimers();
  const imported: string[] = [];
  const troubles: unknown[] = [];
  const box = { ids: [] as readonly string[], failure, disk: undefined as unknown, lists: 0 };
  const auto = new AutoImport({
    listNew: async () => {
      box.lists += 1;
      if (box.disk !== undefined) throw box.disk;
      return box.ids;
    },
    importOne: async (id) => {
      imported.push(id);
      if (box.failure !== undefined) throw box.failure;
    },
    onTrouble: (error) => troubles.push(error),
    timers,
  });
  let state = newStore().state;
  /** Changes the state, and waits until everything that follows has happened. */
  const arrive = async (change: Partial<ImporterState>, ids = box.ids) => {
    box.ids = ids;
    state = { ...state, ...change };
    auto.notice(state);
    await setImmediate();
  };
  return { auto, timers, imported, troubles, box, arrive };
}

describe("packages that arrive", () => {
  test("[R5] are imported once each, whether the relay or the inbox has them", async () => {
    const { imported, arrive } = setUp();
    await arrive({ packages: [] }, ["pkg_a"]);
    expect(imported).toEqual(["pkg_a"]);
    await arrive({ local: [] }, ["pkg_a", "local_b"]);
    await arrive({ packages: [] });
    expect(imported).toEqual(["pkg_a", "local_b"]);
  });

  test("[R5] are looked for only when a list changed", async () => {
    const { box, arrive } = setUp();
    const [packages, local] = [[], []];
    await arrive({ packages, local });
    await arrive({ deviceName: "Studio 2" });
    expect(box.lists).toBe(1);
    await arrive({ packages: [] });
    expect(box.lists).toBe(2);
    await arrive({ local: [] });
    expect(box.lists).toBe(3);
  });

  test("[R5] are left alone once it has stopped", async () => {
    const { auto, imported, arrive } = setUp();
    auto.stop();
    await arrive({ packages: [] }, ["pkg_a"]);
    expect(imported).toEqual([]);
  });

  test("[R5] and can't be listed are reported as trouble", async () => {
    const { box, troubles, imported, arrive } = setUp();
    box.disk = new Error("The journals can't be read.");
    await arrive({ packages: [] }, ["pkg_a"]);
    expect(troubles).toEqual([box.disk]);
    expect(imported).toEqual([]);
  });
});

test.each([
  ["the relay can't be reached", new RelayUnreachableError("Nothing answers.")],
  ["the relay has a problem", new RelayError(500, "Broken.")],
  ["the relay is asked too often", new RelayError(429, "Too often.")],
  ["the disk is full", new DiskError("The disk is full.")],
  ["another run holds it", new RelayError(409, "Taken.", { code: "RUN_ELSEWHERE" })],
])("[R5] a package is tried again after 30 s when %s", async (_, failure) => {
  const { box, timers, imported, arrive } = setUp(failure);
  await arrive({ packages: [] }, ["pkg_a"]);
  expect(timers.remaining).toEqual([30_000]);
  await arrive({ packages: [] });
  expect(imported).toEqual(["pkg_a"]);
  box.failure = undefined;
  timers.advance(30_000);
  await setImmediate();
  expect(imported).toEqual(["pkg_a", "pkg_a"]);
  expect(timers.remaining).toEqual([]);
});

test.each([
  ["the relay refuses it", new RelayError(499, "No.")],
  ["the relay no longer has it", new RelayError(404, "Gone.", { code: "NO_SUCH_PACKAGE" })],
  ["the host has a problem of its own", new Error("No.")],
  ["an error only looks like another run's", Object.assign(new Error(), { code: "RUN_ELSEWHERE" })],
])("[R5] a package is not tried again when %s", async (_, failure) => {
  const { timers, imported, troubles, arrive } = setUp(failure);
  await arrive({ packages: [] }, ["pkg_a"]);
  await arrive({ packages: [] });
  expect(imported).toEqual(["pkg_a"]);
  expect(timers.remaining).toEqual([]);
  expect(troubles).toEqual([]);
});

describe("[R1] a package whose connection was lost", () => {
  const { connection } = newStore().state;
  const offline = { connection: { ...connection, status: "offline" as const } };
  const connected = { connection: { ...connection, status: "connected" as const } };

  test("[R1] is tried again after the next connect, once", async () => {
    const { box, timers, imported, arrive } = setUp(new ConnectionLostError(undefined));
    await arrive({ packages: [], ...connected }, ["pkg_a"]);
    await arrive(offline);
    expect(imported).toEqual(["pkg_a"]);
    box.failure = undefined;
    await arrive(connected);
    expect(imported).toEqual(["pkg_a", "pkg_a"]);
    expect(timers.remaining).toEqual([]);
    timers.advance(300_000);
    await setImmediate();
    expect(imported).toHaveLength(2);
  });

  test("[R1] is tried again after 5 minutes where the connection stays", async () => {
    const { timers, imported, arrive } = setUp(new ConnectionLostError(undefined));
    await arrive({ packages: [], ...connected }, ["pkg_a"]);
    timers.advance(299_999);
    await setImmediate();
    expect(imported).toEqual(["pkg_a"]);
    timers.advance(1);
    await setImmediate();
    expect(imported).toEqual(["pkg_a", "pkg_a"]);
  });

  test("[R1] is left to its 5 minutes while the relay stays away, and to one try after each connect", async () => {
    const { box, timers, imported, arrive } = setUp(new ConnectionLostError(undefined));
    await arrive({ packages: [], ...connected }, ["pkg_a"]);
    await arrive(offline);
    await arrive({ ...offline, deviceName: "Studio 2" });
    expect(imported).toEqual(["pkg_a"]);
    box.failure = undefined;
    await arrive(connected);
    await arrive(offline);
    await arrive(connected);
    expect(imported).toHaveLength(2);
    expect(timers.remaining).toEqual([]);
  });

  test("[R1] that was tried again in time isn't tried once more after a connect", async () => {
    const { box, timers, imported, arrive } = setUp(new ConnectionLostError(undefined));
    await arrive({ packages: [], ...connected }, ["pkg_a"]);
    box.failure = undefined;
    timers.advance(300_000);
    await setImmediate();
    await arrive(offline);
    await arrive(connected);
    expect(imported).toHaveLength(2);
  });

  test("[R5] is retried at once after a connect, but one that failed for another reason is not", async () => {
    const { box, imported, arrive } = setUp(new RelayError(500, "Broken."));
    await arrive({ packages: [], ...connected }, ["pkg_a"]);
    const { lists } = box;
    await arrive(offline);
    await arrive(connected);
    expect([imported, box.lists]).toEqual([["pkg_a"], lists]);
  });
});
