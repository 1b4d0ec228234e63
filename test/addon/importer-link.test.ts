import { describe, expect, test } from "vitest";
import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import { importerAtWork } from "./importer-at-work.ts";
import { connected, pairApp, started } from "./named-relays.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import { until } from "../sim/until.ts";

const TIMES = {
  paired_at: "2026-11-21T12:00:00.000Z",
  last_seen_at: "2026-11-21T12:00:00.000Z",
  waiting_packages: 0,
};

describe("what the state shows", () => {
  test("[I3][P7] reads apps and packages after the connect and after each notification", async () => {
    const relay = await startStandIn();
    pairApp(relay, "Looper");
    const { importer } = await connected(relay.url);
    await until(() => importer.state.apps.length === 1);
    offerPackage(relay, "pkg_1_____________________", ["Kick"]);
    relay.notify({ type: "packages.changed" });
    await until(() => importer.state.packages.length === 1);
    pairApp(relay, "Synth");
    relay.notify({ type: "apps.changed" });
    await until(() => importer.state.apps.length === 2);
  });

  test("[P7] counts an app's waiting packages again a moment after packages changed, once", async () => {
    const relay = await startStandIn();
    pairApp(relay, "Looper");
    const { importer, timers } = await connected(relay.url);
    await until(() => importer.state.apps.length === 1);
    const reads = () => relay.callsTo("GET", "/importer/apps").length;
    const before = reads();
    offerPackage(relay, "pkg_1_____________________", ["Kick"]);
    relay.apps.splice(0, 1, ...relay.apps.map((app) => ({ ...app, waiting_packages: 1 })));
    for (let count = 0; count < 3; count += 1) relay.notify({ type: "packages.changed" });
    await until(() => importer.state.packages.length === 1);
    expect(reads()).toBe(before);
    timers.advance(5000);
    await until(() => importer.state.apps[0]?.waiting_packages === 1);
    expect(reads()).toBe(before + 1);
  });

  test.each(["here", "by the app itself"])(
    "[N3] shows the app that used the code only while it is paired: unpaired %s",
    async (how) => {
      const relay = await startStandIn();
      const { importer } = await connected(relay.url);
      pairApp(relay, "Looper");
      relay.notify({ type: "code.used", app_name: "Looper" });
      // The list may be read before the news of the code's use comes.
      await until(() => importer.state.pairing.usedBy !== null);
      expect(importer.state.pairing.usedBy).toMatchObject({ name: "Looper" });
      if (how === "here") await importer.unpair("pair_Looper");
      else {
        relay.apps.length = 0;
        relay.notify({ type: "apps.changed" });
      }
      await until(() => importer.state.apps.length === 0);
      expect(importer.state.pairing.usedBy).toBeNull();
    },
  );

  test("[P2] of two apps of one name, the one that paired last used the code", async () => {
    const relay = await startStandIn();
    const { importer } = await connected(relay.url);
    relay.apps.push(
      { pairing_id: "pair_old", app_name: "Looper", ...TIMES },
      {
        pairing_id: "pair_new",
        app_name: "Looper",
        ...TIMES,
        paired_at: "2026-11-21T12:00:01.000Z",
      },
      {
        pairing_id: "pair_else",
        app_name: "Synth",
        ...TIMES,
        paired_at: "2026-11-21T13:00:00.000Z",
      },
    );
    relay.notify({ type: "code.used", app_name: "Looper" });
    await until(() => importer.state.pairing.usedBy !== null);
    expect(importer.state.pairing.usedBy).toEqual({ name: "Looper", pairingId: "pair_new" });
  });

  test("[P2] a list of apps from before the code was used doesn't decide who used it", async () => {
    const relay = await startStandIn();
    const { importer } = await connected(relay.url);
    await importer.codes.open({ isFresh: false });
    const isAsked = Promise.withResolvers<void>();
    relay.intercept = ({ path }) => {
      if (path !== "/importer/apps") return undefined;
      relay.intercept = () => undefined;
      // The answer to this call has no app yet; the next one has.
      relay.notify({ type: "code.used", app_name: "Looper" });
      isAsked.resolve();
      return { status: 200, body: { apps: [] } };
    };
    relay.notify({ type: "apps.changed" });
    await isAsked.promise;
    pairApp(relay, "Looper");
    await until(() => importer.state.pairing.usedBy !== null);
    expect(importer.state.pairing).toMatchObject({ code: null, usedBy: { name: "Looper" } });
  });

  test("[P2] a used code isn't shown although the apps can't be read, and is named later", async () => {
    const relay = await startStandIn();
    const { importer, timers } = await connected(relay.url);
    await importer.codes.open({ isFresh: false });
    relay.intercept = ({ path }) => (path === "/importer/apps" ? { status: 503 } : undefined);
    pairApp(relay, "Looper");
    relay.notify({ type: "code.used", app_name: "Looper" });
    await until(() => importer.state.pairing.code === null);
    expect(importer.state.pairing.usedBy).toBeNull();
    relay.intercept = () => undefined;
    timers.advance(5000);
    await until(() => importer.state.pairing.usedBy !== null);
    expect(importer.state.pairing.usedBy).toMatchObject({ name: "Looper" });
  });

  test("[P2] concurrent requests for a code share one", async () => {
    const relay = await startStandIn();
    const { importer } = await connected(relay.url);
    const asked = () => relay.calls.filter(({ path }) => path === "/importer/pairing-code").length;
    const [one, other] = await Promise.all([importer.pairingCode(), importer.pairingCode()]);
    expect(one).toBe(other);
    expect(asked()).toBe(1);
    await importer.pairingCode();
    expect(asked()).toBe(2);
  });

  test("[K2] a code that was replaced is never shown", async () => {
    const relay = await startStandIn();
    const replaceCode = async (code: PairingCodeAnswer) => ({ ...code, code: "ABCDEF" });
    const { importer } = await importerAtWork(relay.url, { more: { replaceCode } });
    const shown = new Set<string | undefined>();
    importer.subscribe(({ pairing }) => shown.add(pairing.code?.code));
    expect(await importer.pairingCode()).toMatchObject({ code: "ABCDEF", expires_in: 600 });
    expect([...shown]).toEqual(["ABCDEF"]);
  });

  test("[N3] when code and packages were read, so that what remains of them can be counted down", async () => {
    const relay = await startStandIn();
    let now = 1000;
    const { importer } = await importerAtWork(relay.url, { more: { now: () => now } });
    expect(importer.state.packagesReadAtMs).toBe(0);
    await importer.pairingCode();
    now = 2000;
    await importer.packages();
    expect(importer.state.pairing.readAtMs).toBe(1000);
    expect(importer.state.packagesReadAtMs).toBe(2000);
  });

  test("a listener is called for each change until it unsubscribes, with immutable snapshots", async () => {
    const relay = await startStandIn();
    const { importer } = await importerAtWork(relay.url);
    const before = importer.state;
    const heard: unknown[] = [];
    const end = importer.subscribe((state) => heard.push(state));
    await importer.pairingCode();
    end();
    const after = importer.state;
    await importer.pairingCode();
    expect(heard).toEqual([after]);
    expect(before.pairing.code).toBeNull();
    expect(after.pairing.code?.code).toBe("K7MQ2X");
  });

  test("[I4] why there is no connection, in a sentence", async () => {
    const relay = await startStandIn();
    relay.importerApi = [7];
    const { importer } = await started(relay.url);
    await until(() => importer.state.connection.status === "offline");
    expect(importer.state.connection.trouble).toMatch(/too old .* Update Soundferry/);
  });

  test("[I3] a read that fails while connected is reported and retried automatically", async () => {
    const relay = await startStandIn();
    relay.intercept = ({ path }) => (path === "/importer/packages" ? { status: 503 } : undefined);
    const { importer, timers } = await connected(relay.url);
    await until(() => importer.state.connection.trouble !== null);
    expect(importer.state.connection).toMatchObject({ status: "connected" });
    relay.intercept = () => undefined;
    offerPackage(relay, "pkg_1_____________________", ["Kick"]);
    timers.advance(5000);
    await until(() => importer.state.packages.length === 1);
    expect(importer.state.connection.trouble).toBeNull();
  });
});

describe("apps and the computer's name", () => {
  test("[P8] a name changed in the settings reaches the relay at the next connect", async () => {
    const relay = await startStandIn();
    const first = await importerAtWork(relay.url);
    await first.importer.apps();
    await first.importer.close();
    const { folder } = first;
    const second = await importerAtWork(relay.url, { folder, settings: { deviceName: "Loft" } });
    await second.importer.start();
    await until(() => [...relay.devices.values()][0]?.deviceName === "Loft");
    expect(relay.devices.size).toBe(1);
  });
});

describe("identities", () => {
  test("[P9] registers again at a relay that forgot this importer, and the state says that apps must pair again", async () => {
    const relay = await startStandIn();
    pairApp(relay, "Looper");
    const { importer, timers } = await connected(relay.url);
    await until(() => importer.state.apps.length === 1);
    expect(importer.state.connection.newBecause).toBe(null);
    relay.devices.clear();
    relay.apps.splice(0);
    relay.notify({ type: "apps.changed" });
    await until(() => importer.state.connection.newBecause === "forgotten");
    await until(() => importer.state.apps.length === 0);
    expect(relay.devices.size).toBe(1);
    await until(() => importer.state.connection.status === "offline");
    timers.advance(1000);
    await until(() => importer.state.connection.status === "connected");
    const [token] = relay.devices.keys();
    const shown = relay.callsTo("GET", "/importer/socket").at(-1)?.headers.authorization;
    expect(shown).toBe(`Bearer ${token}`);
    pairApp(relay, "Looper");
    relay.notify({ type: "apps.changed" });
    await until(() => importer.state.connection.newBecause === null);
  });
});
