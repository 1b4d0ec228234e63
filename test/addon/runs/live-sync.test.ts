import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { LiveSetup } from "../../../addon/hosts/live-setup.ts";
import { LiveCheck, LiveSync } from "../../../addon/runs/live-sync.ts";
import type { PanelLive } from "../../../core/protocol/panel-api.ts";
import { LIVE_READY, LIVE_UNSET } from "../../../scripts/pictures/canned-live.ts";
import { ManualTimers } from "../manual-timers.ts";
import { newStore } from "./new-store.ts";

const NO_CHECK = new LiveCheck(undefined, (work) => work());

/** A control surface that a test changes, watched by an importer. */
function syncWith(more: Partial<LiveSetup> = {}) {
  const timers = new ManualTimers();
  const store = newStore();
  const setup = { live: LIVE_UNSET as PanelLive | null, looks: 0 };
  const look = async () => {
    setup.looks += 1;
    return setup.live;
  };
  const sync = new LiveSync({ setup: { look, ...more }, check: NO_CHECK, store, timers });
  const changes: unknown[] = [];
  store.subscribe(({ live }) => changes.push(live));
  const later = async () => {
    timers.advance(2000);
    await setImmediate();
  };
  return { sync, store, setup, timers, changes, later };
}

test("[H20] looks at Live's control surface while a panel is open, and changes the state when it changes", async () => {
  const { sync, setup, changes, later, timers } = syncWith();
  await later();
  expect(setup.looks).toBe(0);
  const stop = sync.watch();
  const stopOther = sync.watch();
  await later();
  await later();
  setup.live = LIVE_READY;
  await later();
  expect(changes).toEqual([LIVE_UNSET, LIVE_READY]);
  stop();
  stop();
  expect(timers.remaining).toHaveLength(1);
  stopOther();
  expect(timers.remaining).toEqual([]);
  const { looks } = setup;
  await later();
  expect(setup.looks).toBe(looks);
});

test("[H20] shows the script at once after it was installed, and refuses where it can't be", async () => {
  const { sync, store } = syncWith();
  expect(await sync.install()).toBe(false);
  expect(store.state.live).toBeNull();
  const able = syncWith({
    install: async () => {
      able.setup.live = { ...LIVE_UNSET, script: "current" };
    },
  });
  expect(await able.sync.install()).toBe(true);
  expect(able.store.state.live?.script).toBe("current");
  const refusing = syncWith({ install: () => Promise.reject(new Error("The disk is full.")) });
  await expect(refusing.sync.install()).rejects.toThrow("The disk is full.");
});

test("[H20] ends with the importer: no look follows, and what is unchanged changes no state", async () => {
  const { sync, setup, store, timers, later } = syncWith();
  sync.watch();
  await later();
  const { state } = store;
  await later();
  expect(store.state).toBe(state);
  await sync.close();
  expect(timers.remaining).toEqual([]);
  const { looks } = setup;
  await later();
  expect(setup.looks).toBe(looks);
});

test("[H20] a look that fails shows as trouble, and the next one follows", async () => {
  let failures = 1;
  const { sync, store, later } = syncWith({
    look: async () => {
      if (failures > 0) {
        failures -= 1;
        throw new Error("The User Library can't be read.");
      }
      return LIVE_READY;
    },
  });
  sync.watch();
  await setImmediate();
  expect(store.state.diskTrouble).toBe("The User Library can't be read.");
  await later();
  await later();
  expect(store.state.live).toEqual(LIVE_READY);
  await sync.close();
});

test("[H20] without Live there is nothing to look at", async () => {
  const timers = new ManualTimers();
  const store = newStore();
  const sync = new LiveSync({ setup: undefined, check: NO_CHECK, store, timers });
  const stop = sync.watch();
  expect(timers.remaining).toEqual([]);
  stop();
  expect(await sync.install()).toBe(false);
  expect([store.state.live, timers.remaining]).toEqual([null, []]);
  await sync.close();
});

test("[H21] ends the check of Live with the importer", async () => {
  const check = new LiveCheck(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    (work) => work(),
  );
  const timers = new ManualTimers();
  const sync = new LiveSync({ setup: undefined, check, store: newStore(), timers });
  expect(sync.check).toBe(check);
  check.begin();
  await sync.close();
  expect(check.state.status).toBe("failed");
});
