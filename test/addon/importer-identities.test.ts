import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NEW_BECAUSE_NOTES } from "../../addon/relay/choose-identity.ts";
import { importerAtWork } from "./importer-at-work.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import { until } from "../sim/until.ts";
import {
  isConnected,
  pairApp,
  relayNamed,
  started,
  takePlaceOf,
  tokensAt,
} from "./named-relays.ts";

describe("D6: another relay answers at the importer's address", () => {
  test("[P9] it sees no token, and the first relay's identity is used again when it is back", async () => {
    const home = await relayNamed("home");
    pairApp(home);
    const { importer, timers } = await started(home.url);
    await until(() => isConnected(importer) && importer.state.apps.length === 1);
    const other = await relayNamed("other");
    await takePlaceOf(home, other);
    await until(() => !isConnected(importer));
    timers.advance(1000);
    await until(() => isConnected(importer));
    await until(() => importer.state.connection.newBecause === "other-relay");
    await until(() => importer.state.apps.length === 0);
    expect(tokensAt(other)).toEqual(["Bearer sfi_token-other-1"]);

    await takePlaceOf(other, home);
    await until(() => !isConnected(importer));
    timers.advance(1000);
    await until(() => isConnected(importer) && importer.state.apps.length === 1);
    expect(importer.state.connection).toMatchObject({ newBecause: null });
    expect(tokensAt(home)).toEqual(["Bearer sfi_token-home-1"]);
  });

  test("[P9] also where each importer lives for one call", async () => {
    const home = await relayNamed("home");
    pairApp(home);
    const { folder, importer } = await importerAtWork(home.url);
    await importer.apps();
    const other = await relayNamed("other");
    await takePlaceOf(home, other);
    const { importer: second } = await importerAtWork(home.url, { folder });
    expect(await second.packages()).toMatchObject({
      packages: [],
      relay_note: NEW_BECAUSE_NOTES["other-relay"],
    });
    await takePlaceOf(other, home);
    const { importer: third } = await importerAtWork(home.url, { folder });
    expect((await third.apps()).apps).toHaveLength(1);
    expect(tokensAt(other)).toEqual(["Bearer sfi_token-other-1"]);
    expect(home.devices.size).toBe(1);
  });

  test("[P9] older relays on both sides: the 401 erases nothing", async () => {
    const home = await relayNamed(undefined, "home-");
    pairApp(home);
    const { folder, importer } = await importerAtWork(home.url);
    await importer.apps();
    const other = await relayNamed(undefined, "other-");
    await takePlaceOf(home, other);
    const { importer: second } = await importerAtWork(home.url, { folder });
    expect((await second.apps()).apps).toEqual([]);
    await takePlaceOf(other, home);
    const { importer: third } = await importerAtWork(home.url, { folder });
    expect((await third.apps()).apps).toHaveLength(1);
    expect(home.devices.size).toBe(1);
  });

  test("[P9][R2] a report stays for the relay that its package came from", async () => {
    const home = await relayNamed("home");
    offerPackage(home, "pkg_1_____________________", ["Kick"]);
    home.intercept = ({ path }) => (path.endsWith("/results") ? { status: 503 } : undefined);
    const { folder, importer } = await importerAtWork(home.url);
    await importer.import("pkg_1_____________________");
    const other = await relayNamed("other");
    await takePlaceOf(home, other);
    await importer.packages();
    expect(other.calls.some(({ path }) => path.endsWith("/results"))).toBe(false);
    home.intercept = () => undefined;
    await takePlaceOf(other, home);
    const { importer: later } = await importerAtWork(home.url, { folder });
    await later.packages();
    expect(home.reports.get("pkg_1_____________________")).toMatchObject({
      1: { status: "imported" },
    });
  });
});

describe("a relay that was known at another address", () => {
  /** An importer that is known at one address and finds the same instance at another. */
  async function moved() {
    const home = await relayNamed("home");
    pairApp(home);
    const { folder, importer } = await importerAtWork(home.url);
    await importer.apps();
    await importer.close();
    const there = await relayNamed("home", "copy-");
    for (const [token, device] of home.devices) there.devices.set(token, device);
    const work = await started(there.url, { folder });
    await until(() => work.importer.state.connection.movedFrom !== null);
    return { home, there, ...work };
  }

  test("[P9] a server that copies its instance id never sees its token", async () => {
    const { home, there, importer, timers } = await moved();
    expect(importer.state.connection.movedFrom).toBe(home.url);
    const sentence = `Is the relay at ${there.url} the one that was at ${home.url}? Answer in the panel.`;
    await expect(importer.apps()).rejects.toThrow(sentence);
    expect(await importer.packages()).toMatchObject({ relay_error: sentence });
    timers.advance(1000);
    await until(() => there.callsTo("GET", "/importer/hello").length > 3);
    await importer.answerMoved({ isSame: false, movedFrom: home.url });
    await until(() => isConnected(importer));
    expect(importer.state.connection).toMatchObject({ movedFrom: null, newBecause: null });
    expect(tokensAt(there)).toEqual(["Bearer sfi_token-copy-1"]);
  });

  test("[P9] after a yes its identity is used there, and still at the old address", async () => {
    const { home, there, importer, folder } = await moved();
    expect(tokensAt(there)).toEqual([]);
    await importer.answerMoved({ isSame: true, movedFrom: home.url });
    await until(() => isConnected(importer));
    expect(importer.state.connection.movedFrom).toBeNull();
    expect(tokensAt(there)).toEqual(["Bearer sfi_token-home-1"]);
    await importer.close();
    for (const { url } of [home, there]) {
      await (await importerAtWork(url, { folder })).importer.apps();
    }
    expect([home.devices.size, there.devices.size]).toEqual([1, 1]);
  });

  test("[P9] the question is void when another relay answers meanwhile", async () => {
    const { home, there, importer } = await moved();
    there.instance = "third";
    await expect(importer.answerMoved({ isSame: true, movedFrom: home.url })).rejects.toThrow(
      `Another relay answers at ${there.url}`,
    );
    expect(importer.state.connection.movedFrom).toBeNull();
    expect(tokensAt(there)).toEqual([]);
  });

  test("[P9] an answer counts only for the address that the person was asked about", async () => {
    const { folder, home, there, importer, timers } = await moved();
    const other = await relayNamed("other");
    const { importer: elsewhere } = await importerAtWork(other.url, { folder });
    await elsewhere.apps();
    there.instance = "other";
    timers.advance(1000);
    await until(() => importer.state.connection.movedFrom === other.url);
    const late = importer.answerMoved({ isSame: true, movedFrom: home.url });
    await expect(late).rejects.toMatchObject({ name: "QuestionGoneError", status: 409 });
    expect(tokensAt(there)).toEqual([]);
    await importer.answerMoved({ isSame: true, movedFrom: other.url });
    await until(() => tokensAt(there).length > 0);
    expect(tokensAt(there)).toEqual(["Bearer sfi_token-other-1"]);
    const again = importer.answerMoved({ isSame: true, movedFrom: other.url });
    await expect(again).rejects.toThrow("This question has changed. Read it again.");
  });

  test("[P9] from https to http it isn't asked: the relay gets a new identity", async () => {
    const relay = await relayNamed("home");
    const { folder, importer, settings } = await importerAtWork(relay.url);
    await importer.apps();
    const path = join(settings.dataFolder, "config.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(relay.url, "https://relay.example"));
    const { importer: later } = await importerAtWork(relay.url, { folder });
    await later.apps();
    expect(later.state.connection).toMatchObject({ movedFrom: null, newBecause: "insecure" });
    expect(tokensAt(relay)).toEqual(["Bearer sfi_token-home-1", "Bearer sfi_token-home-2"]);
    expect(await readFile(path, "utf8")).toContain("https://relay.example");
  });

  test("[P9] an importer in the process of its relay isn't asked", async () => {
    const home = await relayNamed("home");
    const { folder, importer } = await importerAtWork(home.url);
    await importer.apps();
    await home.stop();
    const { importer: later } = await (async () => {
      await home.restart(0);
      return importerAtWork(home.url, { folder, more: { isOwnRelay: true } });
    })();
    await later.apps();
    expect(home.devices.size).toBe(1);
  });
});

test("[P9] a redirect is never followed, with or without a token", async () => {
  const home = await relayNamed("home");
  const target = await relayNamed("home", "copy-");
  const { importer } = await importerAtWork(home.url);
  await importer.apps();
  home.intercept = ({ path }) => {
    return { status: 307, headers: { location: `${target.url}${path}` }, isForeign: true };
  };
  await expect(importer.apps()).rejects.toThrow(/answers in its place/);
  await expect(importer.setRelay(home.url)).rejects.toThrow(/redirects to/);
  expect(target.calls).toEqual([]);
});

test("[P9] a note about a new identity goes when an app is paired, and outlives a restart", async () => {
  const home = await relayNamed("home");
  const { folder, importer } = await importerAtWork(home.url);
  await importer.apps();
  home.devices.clear();
  await importer.apps();
  const { importer: later } = await importerAtWork(home.url, { folder });
  expect(await later.packages()).toMatchObject({ relay_note: NEW_BECAUSE_NOTES.forgotten });
  expect(later.state.connection.newBecause).toBe("forgotten");
  pairApp(home);
  await later.apps();
  expect(later.state.connection).toMatchObject({ newBecause: null });
});
