import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Importer } from "../../addon/importer.ts";
import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import { openStoredSettings } from "../../addon/state/stored-settings.ts";
import { gatedHost } from "./paused-host.ts";
import { importerAtWork, writeLocalPackage } from "./importer-at-work.ts";
import { isConnected, pairApp, started, connected } from "./named-relays.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import { until } from "../sim/until.ts";

const NO_RELAY = "No relay is set. Enter its address in the panel.";

function namesOf({ state }: Importer): readonly string[] {
  return state.apps.map((app) => app.app_name);
}

describe("without a relay", () => {
  test("[N4] the state says so, and suggests the build's address", async () => {
    const settings = { suggestedRelayUrl: "https://relay.example" };
    const { importer } = await started(null, { settings });
    expect(importer.state.connection).toEqual({
      relayUrl: null,
      suggestedRelayUrl: "https://relay.example",
      fixedBecause: null,
      status: "unset",
      trouble: null,
      newBecause: null,
      movedFrom: null,
    });
  });

  test("[N4] the inbox can still be imported", async () => {
    const { importer, inboxFolder, session } = await started(null);
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    const { packages, failures } = await importer.importAll();
    expect(packages).toMatchObject([{ status: "imported" }]);
    expect(failures).toEqual([{ source: "the relay", error: NO_RELAY }]);
    expect((await session()).tracks).toHaveLength(1);
  });

  test("[N4] calls that need a relay say that none is set", async () => {
    const { importer } = await started(null);
    for (const call of [
      () => importer.pairingCode(),
      () => importer.apps(),
      () => importer.unpair("pair_1"),
      () => importer.import("pkg_1_____________________"),
      () => importer.plan("pkg_1_____________________"),
    ]) {
      await expect(call()).rejects.toThrow(NO_RELAY);
    }
    expect(await importer.packages()).toEqual({ packages: [], local: [], relay_error: NO_RELAY });
  });

  test("[P8] the computer can be renamed; the first relay gets the new name", async () => {
    const { importer, settings } = await started(null);
    expect(await importer.rename("  The   Loft ")).toBe("The Loft");
    expect(importer.state.deviceName).toBe("The Loft");
    expect(openStoredSettings(settings.dataFolder).settings()).toEqual({
      SOUNDFERRY_DEVICE_NAME: "The Loft",
    });
    const relay = await startStandIn();
    await importer.setRelay(relay.url);
    await until(() => isConnected(importer));
    expect([...relay.devices.values()]).toMatchObject([{ deviceName: "The Loft" }]);
  });

  test("[P8] an unreachable relay gets a new name at the next connect", async () => {
    const relay = await startStandIn();
    const { importer, timers } = await connected(relay.url);
    await relay.stop();
    await until(() => !isConnected(importer));
    expect(await importer.rename("Loft")).toBe("Loft");
    await relay.restart();
    timers.advance(1000);
    await until(() => [...relay.devices.values()][0]?.deviceName === "Loft");
  });
});

describe("setting the relay", () => {
  test("[N4] stores its address and works at once: packages, notifications, pairing, import", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { importer, settings } = await started(null);
    await importer.setRelay(`  ${relay.url}/ `);
    expect(importer.state.connection).toMatchObject({ relayUrl: relay.url, trouble: null });
    expect(openStoredSettings(settings.dataFolder).settings()).toEqual({
      SOUNDFERRY_RELAY_URL: relay.url,
    });
    await until(() => importer.state.packages.length === 1);
    await until(() => isConnected(importer));
    offerPackage(relay, "pkg_2_____________________", ["Snare"]);
    relay.notify({ type: "packages.changed" });
    await until(() => importer.state.packages.length === 2);
    await importer.pairingCode();
    expect(await importer.import("pkg_1_____________________")).toMatchObject({
      status: "imported",
    });
    expect(relay.reports.has("pkg_1_____________________")).toBe(true);
  });

  test("[N4] an importer that wasn't started switches without connecting", async () => {
    const [home, away] = [await startStandIn(), await startStandIn()];
    const { importer } = await importerAtWork(home.url);
    await importer.setRelay(away.url);
    expect(importer.state.connection).toMatchObject({ relayUrl: away.url, status: "idle" });
    await importer.pairingCode();
    expect([home.devices.size, away.devices.size, away.openSockets.length]).toEqual([0, 1, 0]);
  });

  test.each([
    ["", "This must be the address of a relay, such as https://relay.example."],
    ["ftp://relay.example", "This must be the address of a relay, such as https://relay.example."],
    [
      "http://relay.example",
      "This must begin with https://; http:// is only for this computer and private addresses, such as 192.168.1.20.",
    ],
    [
      "https://me:secret@relay.example",
      "This must be a plain address, without a user, a question mark or a #.",
    ],
    ["http://127.0.0.1:1", "Nothing answers at 127.0.0.1:1. Is the relay running?"],
  ])("[N4] refuses an invalid address: %j", async (address, sentence) => {
    const { importer, settings } = await started(null);
    await expect(importer.setRelay(address)).rejects.toThrow(sentence);
    expect(importer.state.connection).toMatchObject({ relayUrl: null, status: "unset" });
    expect(openStoredSettings(settings.dataFolder).settings()).toEqual({});
  });

  test("[N4] refuses a server that isn't a compatible relay", async () => {
    const page = createServer((_, response) => response.end("<h1>Hello</h1>"));
    await new Promise<void>((resolve) => void page.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void page.close());
    const { port } = page.address() as AddressInfo;
    const home = await startStandIn();
    const { importer, settings } = await started(home.url);
    await expect(importer.setRelay(`http://127.0.0.1:${port}`)).rejects.toThrow(
      "is not a Soundferry relay. Check the address.",
    );
    const other = await startStandIn();
    for (const [spoken, words] of [
      [7, "too old for the relay"],
      [0, "too old for this version"],
    ] as const) {
      other.importerApi = [spoken];
      await expect(importer.setRelay(other.url)).rejects.toThrow(words);
    }
    await until(() => isConnected(importer));
    expect(importer.state.connection.relayUrl).toBe(home.url);
    expect(openStoredSettings(settings.dataFolder).settings()).toEqual({});
    expect(other.devices.size).toBe(0);
  });

  test("[N4] an address fixed at the start can't be changed", async () => {
    const [home, away] = [await startStandIn(), await startStandIn()];
    const relayFixedBecause = "The relay's address is set by SOUNDFERRY_RELAY_URL.";
    const { importer } = await started(home.url, { settings: { relayFixedBecause } });
    expect(importer.state.connection.fixedBecause).toBe(relayFixedBecause);
    await expect(importer.setRelay(away.url)).rejects.toThrow(relayFixedBecause);
    expect(away.calls).toEqual([]);
  });

  test("[N4] it is not changed while an import runs", async () => {
    const [home, away] = [await startStandIn(), await startStandIn()];
    offerPackage(home, "pkg_1_____________________", ["Kick"]);
    const gate = gatedHost();
    const { importer } = await started(home.url, { more: { host: gate.host } });
    const importing = importer.import("pkg_1_____________________");
    await gate.reached;
    const sentence = "An import is running. Change the relay when it has finished.";
    await expect(importer.setRelay(away.url)).rejects.toThrow(sentence);
    gate.open();
    expect(await importing).toMatchObject({ status: "imported" });
    await importer.setRelay(away.url);
    expect(importer.state.connection.relayUrl).toBe(away.url);
  });

  test("[N4] an import that starts during the switch keeps its relay", async () => {
    const [home, away] = [await startStandIn(), await startStandIn()];
    offerPackage(home, "pkg_1_____________________", ["Kick"]);
    const gate = gatedHost();
    const { importer } = await started(home.url, { more: { host: gate.host } });
    await until(() => importer.state.packages.length === 1);
    away.intercept = () => {
      void importer.beginRun("pkg_1_____________________");
      return undefined;
    };
    await expect(importer.setRelay(away.url)).rejects.toThrow("An import is running.");
    gate.open();
    await until(() => importer.state.finished.length === 1);
    expect(importer.state.finished[0]?.result).toMatchObject({ outcome: { status: "imported" } });
    expect(home.reports.has("pkg_1_____________________")).toBe(true);
  });
});

describe("switching relays and back", () => {
  test("[P9] needs no new pairing, and shows nothing of one relay at the other", async () => {
    const [home, away] = [await startStandIn(), await startStandIn()];
    pairApp(home, "Looper");
    offerPackage(home, "pkg_home__________________", ["Kick"]);
    pairApp(away, "Synth");
    const { importer } = await started(home.url);
    await until(() => importer.state.packages.length === 1 && namesOf(importer).length === 1);
    await importer.pairingCode();

    await importer.setRelay(away.url);
    const { packages, pairing, apps } = importer.state;
    expect([packages, apps, pairing.code]).toEqual([[], [], null]);
    await until(() => isConnected(importer) && namesOf(importer).includes("Synth"));
    await until(() => home.openSockets.length === 0);

    await importer.setRelay(home.url);
    await until(() => isConnected(importer) && namesOf(importer).includes("Looper"));
    await until(() => importer.state.packages[0]?.package_id === "pkg_home__________________");
    expect(importer.state.connection.newBecause).toBe(null);
    expect([home.devices.size, away.devices.size]).toEqual([1, 1]);
    await until(() => away.openSockets.length === 0);
  });

  test("[P9] a late answer of the previous relay isn't shown", async () => {
    const [home, away] = [await startStandIn(), await startStandIn()];
    pairApp(home, "Looper");
    home.intercept = ({ path }) => (path === "/importer/apps" ? "hang" : undefined);
    const { importer } = await importerAtWork(home.url);
    const late = importer.apps().catch((error: unknown) => error);
    await until(() => home.callsTo("GET", "/importer/apps").length === 1);
    await importer.setRelay(away.url);
    expect(await late).toBeInstanceOf(Error);
    expect(importer.state.apps).toEqual([]);
  });

  test("[P9] a late code of the previous relay isn't shown", async () => {
    const [home, away] = [await startStandIn(), await startStandIn()];
    const created = Promise.withResolvers<PairingCodeAnswer>();
    const replaced = Promise.withResolvers<PairingCodeAnswer>();
    const replaceCode = (code: PairingCodeAnswer) => {
      created.resolve(code);
      return replaced.promise;
    };
    const { importer } = await importerAtWork(home.url, { more: { replaceCode } });
    const late = importer.pairingCode();
    const code = await created.promise;
    await importer.setRelay(away.url);
    replaced.resolve(code);
    expect(await late).toEqual(code);
    expect(importer.state.pairing.code).toBeNull();
  });
});

test("[P7] marks apps that paired since the start", async () => {
  const relay = await startStandIn();
  pairApp(relay, "Looper");
  const { importer } = await started(relay.url);
  await until(() => namesOf(importer).length === 1);
  expect(importer.state.newPairingIds).toEqual(new Set());
  pairApp(relay, "Synth");
  relay.notify({ type: "apps.changed" });
  await until(() => namesOf(importer).length === 2);
  expect(importer.state.newPairingIds).toEqual(new Set(["pair_Synth"]));
});
