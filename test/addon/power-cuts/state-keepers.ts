import { join } from "node:path";
import { Outbox } from "../../../addon/relay/outbox.ts";
import { ColorTurns } from "../../../addon/state/color-turns.ts";
import { keptDismissals } from "../../../addon/state/kept-parts.ts";
import { makeDataFolder, openStoredSettings } from "../../../addon/state/stored-settings.ts";
import type { SoundResults } from "../../../core/protocol/package-status.ts";
import { newStore } from "../runs/new-store.ts";
import type { Keeper } from "./keeper.ts";

const dataIn = (folder: string) => join(folder, "Soundferry/data");

function identityOf(deviceId: string) {
  const rest = { importerToken: `token-of-${deviceId}`, deviceName: "Studio" };
  return { relayUrl: "http://relay.test", deviceId, ...rest };
}

export const IDENTITIES: Keeper = {
  title: "[P9] an identity that was stored, so that it can be used",
  nothing: { devices: [], name: undefined },
  async act(folder, note) {
    const stored = openStoredSettings(dataIn(folder));
    const entries = [identityOf("dev_a")];
    for (const deviceId of ["dev_a", "dev_b"]) {
      if (deviceId === "dev_b") entries.unshift(identityOf(deviceId));
      const value = { devices: entries.map((entry) => entry.deviceId), name: undefined };
      note("begun", value);
      stored.storeIdentities(entries);
      note("kept", value);
    }
    const named = { devices: ["dev_b", "dev_a"], name: "Attic" };
    note("begun", named);
    stored.storeSetting("SOUNDFERRY_DEVICE_NAME", "Attic");
    note("kept", named);
  },
  async read(folder) {
    const stored = openStoredSettings(dataIn(folder));
    const devices = stored.identities().map((entry) => entry.deviceId);
    return { devices, name: stored.settings()["SOUNDFERRY_DEVICE_NAME"] };
  },
};

const RELAY = { relayUrl: "http://relay.test", deviceId: "dev_a" };
const FAILED: SoundResults = { kick: { status: "failed", error: "No." } };
const DONE: SoundResults = { kick: { status: "imported", track: "Kick (Looper)" } };

export const RESULTS: Keeper = {
  title: "[R2] results, until the relay has them",
  nothing: { first: undefined, second: undefined },
  async act(folder, note) {
    const outbox = new Outbox(join(dataIn(folder), "outbox"));
    const put = async (id: string, results: SoundResults, value: object) => {
      note("begun", value);
      await outbox.put(id, results, RELAY);
      note("kept", value);
    };
    await put("pkg_first", FAILED, { first: FAILED, second: undefined });
    await put("pkg_first", DONE, { first: DONE, second: undefined });
    await put("pkg_second", FAILED, { first: DONE, second: FAILED });
    const report = async () => {
      // From here on the relay has it: reported again after a power cut, it does no harm.
      note("begun", { first: undefined, second: FAILED });
      return { status: "imported" as const };
    };
    await outbox.deliver("pkg_first", { ...RELAY, report });
  },
  async read(folder) {
    const outbox = new Outbox(join(dataIn(folder), "outbox"));
    await outbox.packageIds(RELAY);
    return {
      first: await outbox.find("pkg_first", RELAY),
      second: await outbox.find("pkg_second", RELAY),
    };
  },
};

export const TURNS: Keeper = {
  title: "[T4] a package's turn of the colors",
  nothing: {},
  async act(folder, note) {
    const turns = new ColorTurns(join(dataIn(folder), "color-turns.json"));
    const value: Record<string, number> = {};
    for (const packageId of ["pkg_a", "pkg_b", "pkg_c"]) {
      value[packageId] = Object.keys(value).length;
      note("begun", { ...value });
      await turns.turnOf(packageId);
      note("kept", { ...value });
    }
  },
  async read(folder) {
    const turns = new ColorTurns(join(dataIn(folder), "color-turns.json"));
    await turns.peek("pkg_a");
    return Object.fromEntries(turns.known);
  },
};

export const DISMISSED: Keeper = {
  title: "[R12] what a person dismissed",
  nothing: [],
  async act(folder, note) {
    makeDataFolder(dataIn(folder));
    const store = newStore();
    const dismissals = keptDismissals(join(dataIn(folder), "dismissals.json"));
    dismissals.follow(store);
    for (const dismissed of [["pkg_a"], ["pkg_a", "pkg_b"], ["pkg_b"]]) {
      note("begun", dismissed);
      store.change({ dismissed: new Set(dismissed) });
      if (store.state.diskTrouble !== null) throw new Error(store.state.diskTrouble);
      note("kept", dismissed);
    }
  },
  async read(folder) {
    return [...keptDismissals(join(dataIn(folder), "dismissals.json")).read()];
  },
};
