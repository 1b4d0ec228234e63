import { expect, test } from "vitest";
import { MemoryPairings, Pairings } from "../../client/pairing/pairings.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { type ClientSettings, SoundferryClient } from "../../client/soundferry-client.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";

// Packages of `keep: "session"`, which need no database. Chromium has the tests of those in one.

const APP = { name: "Looper", id: "app-1" };
const draft = (title: string) => ({
  title,
  sounds: [{ source: new Blob([new Uint8Array(smallWav())]), name: "Kick" }],
});

/** A client whose uploads never end while `stalls`. */
async function clientAt(relay: RunningRelay) {
  const { token, importer } = await relay.paired();
  const uploads = { stall: true };
  const settings: Partial<ClientSettings> = {
    app: APP,
    fetch: (url, init) =>
      uploads.stall && init?.method === "PUT" ? new Promise(() => {}) : fetch(url, init),
  };
  const client = new SoundferryClient({
    relayUrl: relay.url,
    tokenStore: new MemoryTokenStore(token),
    ...settings,
  });
  const begin = (title: string) =>
    new Promise<void>((resolve, reject) => {
      const options = { keep: "session", keepId: title, onAnnounced: () => resolve() } as const;
      client.send(draft(title), options).catch(reject);
    });
  const titles = async () => (await client.unfinished()).map(({ title }) => title);
  const code = async (): Promise<string> =>
    (await relay.call("POST", "/importer/pairing-code", { token: importer.token })).json.code;
  return { client, token, uploads, settings, begin, titles, code };
}

test("[W17] what is kept in memory waits for the next pairing after a 401, and ends with unpairing", async () => {
  await using relay = await RunningRelay.start();
  const { client, token, begin, titles, code } = await clientAt(relay);
  await begin("One");
  expect(await titles()).toEqual(["One"]);
  await relay.call("POST", "/app/unpair", { token });
  await expect(client.me()).rejects.toMatchObject({ status: 401 });
  expect(await titles()).toEqual(["One"]);
  await client.pair(await code());
  expect(await titles()).toEqual(["One"]);
  await client.unpair();
  expect(await titles()).toEqual([]);
});

test("[W17] forgetting a pairing forgets what is kept for it, and nothing of another one", async () => {
  await using relay = await RunningRelay.start();
  const one = await clientAt(relay);
  const other = await clientAt(relay);
  await one.begin("Of one");
  await other.begin("Of other");
  const pairings = new Pairings(new MemoryPairings(), one.settings);
  const pairing = { relayUrl: relay.url, deviceName: "Studio", token: one.token };
  await pairings.pick(pairing);
  const kept = pairings.clientOf(pairing);
  expect((await kept.unfinished()).map(({ title }) => title)).toEqual(["Of one"]);
  await pairings.forget(pairing);
  expect(await one.titles()).toEqual([]);
  expect(await other.titles()).toEqual(["Of other"]);
  await other.client.unpair();
});
