import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Host, HostSetting } from "../../../addon/hosts/host.ts";
import { HostRegistry } from "../../../addon/hosts/host-registry.ts";
import { OwnHost, type OwnHostDeps } from "../../../addon/runs/own-host.ts";
import { ManualTimers } from "../manual-timers.ts";
import { newStore } from "./new-store.ts";

const TEMPO: HostSetting = {
  id: "correct-tempo",
  variable: "SOUNDFERRY_CORRECT_TEMPO",
  kind: "switch",
  default: false,
  label: "Correct the tempo",
  help: "Sets the tempo of a loop that the host guessed wrong.",
};
const SHOUT: HostSetting = { ...TEMPO, id: "shout", variable: "SOUNDFERRY_SHOUT", default: true };

function hostOf(more: Partial<Host> = {}): Host {
  return { name: "x", can: { resumes: true }, place: async () => [], ...more };
}

/** Sets up one own host, or several, with stored settings. */
function setUp({
  hosts,
  ...more
}: Partial<Omit<OwnHostDeps, "hosts">> & { hosts?: readonly Host[] } = {}) {
  const store = newStore();
  const kept: [string, string][] = [];
  const timers = new ManualTimers();
  const [host = hostOf({ settings: [TEMPO, SHOUT] }), ...preferred] = (hosts ?? []).toReversed();
  const own = new OwnHost({
    hosts: new HostRegistry({ preferred, lastResort: host, timers }),
    store,
    timers,
    readValues: () => ({ "correct-tempo": true }),
    keepSetting: (variable, text) => kept.push([variable, text]),
    ...more,
  });
  const shown = () => store.state.host.settings.map(({ id, value }) => [id, value]);
  return { own, host, store, kept, shown, timers };
}

describe("the host's settings", () => {
  test("[K3] are in the state with their labels, as they are stored or else by default", () => {
    const { store } = setUp();
    const { kind, label, help } = TEMPO;
    expect(store.state.host).toMatchObject({
      settings: [
        { id: "correct-tempo", kind, label, help, value: true },
        { id: "shout", kind, label, help, value: true },
      ],
    });
    expect(Object.keys(store.state.host.settings[0] ?? {})).not.toContain("variable");
  });

  test("[K3] that it does not declare are not in the state", () => {
    const { shown } = setUp({ hosts: [hostOf()] });
    expect(shown()).toEqual([]);
  });

  test("[K3] change one by one, in the state, at placing and for the next start", () => {
    const { own, host, kept, shown } = setUp();
    expect(own.change("shout", false)).toBe(true);
    expect(shown()).toEqual([
      ["correct-tempo", true],
      ["shout", false],
    ]);
    expect(own.change("correct-tempo", false)).toBe(true);
    expect(own.valuesOf(host)).toEqual({ "correct-tempo": false, shout: false });
    expect(shown()[0]).toEqual(["correct-tempo", false]);
    own.change("shout", true);
    expect(kept).toEqual([
      ["SOUNDFERRY_SHOUT", "off"],
      ["SOUNDFERRY_CORRECT_TEMPO", "off"],
      ["SOUNDFERRY_SHOUT", "on"],
    ]);
  });

  test("[K3] that do not exist are refused, and nothing is kept", () => {
    const { own, kept, shown } = setUp();
    const before = shown();
    expect(own.change("loud", true)).toBe(false);
    expect(kept).toEqual([]);
    expect(shown()).toEqual(before);
  });

  test("[K3][R9] with the same variable are one, at every own host that declares it", async () => {
    let isReady = false;
    const first = hostOf({ name: "y", settings: [SHOUT], isReady: async () => isReady });
    const last = hostOf({ settings: [{ ...SHOUT, id: "cry" }, TEMPO] });
    const { own, shown } = setUp({ hosts: [first, last] });
    expect(shown()).toEqual([
      ["cry", true],
      ["correct-tempo", true],
    ]);
    expect(own.change("shout", false)).toBe(false);
    expect(own.change("cry", false)).toBe(true);
    isReady = true;
    await own.look();
    expect(shown()).toEqual([["shout", false]]);
    expect(own.valuesOf(first)).toEqual({ shout: false });
    expect(own.valuesOf(last)).toEqual({ cry: false, "correct-tempo": true });
  });

  test("[K3][R7] are each host's own at placing, and nothing where a host declares none", () => {
    const { own, host } = setUp({
      readValues: (declared) => Object.fromEntries(declared.map(({ id }) => [id, false])),
    });
    own.change("shout", true);
    expect(own.valuesOf(host)).toEqual({ "correct-tempo": false, shout: true });
    expect(own.valuesOf(hostOf({ settings: [SHOUT] }))).toEqual({ shout: false });
    expect(own.valuesOf(hostOf())).toBeUndefined();
  });
});

describe("the session's tempo", () => {
  test.each<[string, Host["readTempo"], number | null]>([
    ["is in the state once it was read", async () => 123, 123],
    ["is unknown where it can't be read", () => Promise.reject(new Error("No.")), null],
    ["is unknown where the host has none now", async () => null, null],
    ["is unknown at a host without a tempo", undefined, null],
  ])("[N5] %s", async (_, readTempo, tempoBpm) => {
    const { own, store } = setUp({ hosts: [hostOf(readTempo && { readTempo })] });
    store.changeHost({ tempoBpm: 99 });
    await own.refreshTempo();
    expect(store.state.host.tempoBpm).toBe(tempoBpm);
  });

  test("[H23] is read together with the room that the session has, which may be unknown", async () => {
    const room: { tracks: number | null } = { tracks: null };
    const readRoom = async () => (room.tracks === null ? null : { tracks: room.tracks });
    const { own, store } = setUp({ hosts: [hostOf({ readTempo: async () => 97, readRoom })] });
    for (const tracks of [null, 6, 2, null]) {
      room.tracks = tracks;
      await own.refreshTempo();
      const expected = tracks === null ? null : { tracks };
      expect(store.state.host).toMatchObject({ tempoBpm: 97, room: expected });
    }
    expect(setUp().store.state.host.room).toBeNull();
    // Another session is seen with the next look.
    room.tracks = 8;
    await own.look();
    await setImmediate();
    expect(store.state.host.room).toEqual({ tracks: 8 });
  });

  test("[N5] that is the same changes no state", async () => {
    const { own, store } = setUp({
      hosts: [hostOf({ readTempo: async () => 120, readRoom: async () => ({ tracks: 6 }) })],
    });
    await own.refreshTempo();
    const { state } = store;
    await own.refreshTempo();
    expect(store.state).toBe(state);
  });
});

describe("the current host", () => {
  test("[R9] is looked for now and every two seconds, until the importer closes", async () => {
    let isReady = false;
    let looks = 0;
    const first = hostOf({
      name: "live",
      isReady: async () => {
        looks += 1;
        return isReady;
      },
    });
    const { own, store, timers } = setUp({ hosts: [first, hostOf()] });
    await own.start();
    expect([looks, store.state.host.name, timers.remaining.includes(2000)]).toEqual([1, "x", true]);
    isReady = true;
    timers.advance(2000);
    await setImmediate();
    expect([looks, store.state.host.name]).toEqual([2, "live"]);
    own.close();
    timers.advance(2000);
    await setImmediate();
    expect(looks).toBe(2);
  });

  test("[R9] is never looked for again where it can't change, nor after a close", async () => {
    const always = setUp({ hosts: [hostOf()] });
    await always.own.start();
    expect(always.timers.remaining).toEqual([]);
    const answer = Promise.withResolvers<boolean>();
    const slow = hostOf({ name: "live", isReady: () => answer.promise });
    const { own, store, timers } = setUp({ hosts: [slow, hostOf()] });
    const started = own.start();
    own.close();
    answer.resolve(true);
    await started;
    expect(timers.remaining).toEqual([]);
    expect(store.state.host.name).toBe("x");
  });

  test("[R9] is what the newest look found, also where an earlier one answers later", async () => {
    const first = Promise.withResolvers<boolean>();
    const answers = [first.promise, Promise.resolve(true)];
    const isReady = async () => answers.shift() ?? false;
    const { own, store } = setUp({ hosts: [hostOf({ name: "live", isReady }), hostOf()] });
    const early = own.look();
    await own.look();
    first.resolve(false);
    expect((await early).host.name).toBe("x");
    expect(store.state.host.name).toBe("live");
  });

  test("[R9] that isn't ready says so; once it is, its tempo is read again", async () => {
    let isReady = false;
    const last = hostOf({ isReady: async () => isReady, readTempo: async () => 97 });
    const { own, store } = setUp({ hosts: [last] });
    expect(store.state.host.trouble).toBeNull();
    store.changeHost({ tempoBpm: 120 });
    await own.look();
    expect(store.state.host.trouble).not.toBeNull();
    expect(store.state.host.tempoBpm).toBeNull();
    await setImmediate();
    isReady = true;
    store.changeHost({ tempoBpm: 120 });
    await own.look();
    await setImmediate();
    expect(store.state.host).toMatchObject({ trouble: null, tempoBpm: 97 });
    const { state } = store;
    await own.look();
    expect(store.state).toBe(state);
  });

  test("[R9][R16] says why it isn't the preferred one, once that was looked for", async () => {
    let isReady = false;
    const whenNotReady = "Open Live.";
    const live = hostOf({ name: "live", isReady: async () => isReady, whenNotReady });
    const { own, store } = setUp({ hosts: [live, hostOf()] });
    expect(store.state.host.instead).toBeNull();
    await own.look();
    expect(store.state.host).toMatchObject({ name: "x", trouble: null, instead: whenNotReady });
    own.change("none", true);
    expect(store.state.host.instead).toBe(whenNotReady);
    isReady = true;
    await own.look();
    expect(store.state.host).toMatchObject({ name: "live", instead: null });
  });

  test("[R9] of the same name is no other program: nothing is said of the preferred one", async () => {
    const surface = hostOf({ name: "live", isReady: async () => false });
    const { own, store } = setUp({ hosts: [surface, hostOf({ name: "live" })] });
    await own.look();
    expect(store.state.host).toMatchObject({ name: "live", instead: null });
  });

  test("[N5] keeps its own tempo where another host's is read meanwhile", async () => {
    const tempo = Promise.withResolvers<number>();
    let isReady = false;
    const live = hostOf({ name: "live", isReady: async () => isReady });
    const { own, store } = setUp({ hosts: [live, hostOf({ readTempo: () => tempo.promise })] });
    const reading = own.refreshTempo();
    isReady = true;
    await own.look();
    tempo.resolve(140);
    await reading;
    expect(store.state.host).toMatchObject({ name: "live", tempoBpm: null });
  });

  test("[R4] says whether it can import on the same tracks", () => {
    const can = { resumes: true };
    const shown = [{ ...can, reusesTracks: true }, can].map(
      (abilities) => setUp({ hosts: [hostOf({ can: abilities })] }).store.state.host.can,
    );
    expect(shown).toEqual([
      { reusesTracks: true, savesForDaw: true },
      { reusesTracks: false, savesForDaw: true },
    ]);
  });

  test("[K3] without settings refuses every change", () => {
    const { own, kept } = setUp({ hosts: [hostOf()] });
    expect(own.change("shout", true)).toBe(false);
    expect(kept).toEqual([]);
  });
});
