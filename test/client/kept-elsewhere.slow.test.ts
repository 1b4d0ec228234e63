import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { RunningRelay } from "../relay/running-relay.ts";
import { soon } from "../sim/soon.ts";
import { smallWav } from "../wav-bytes.ts";
import { bytesCode, describeInBrowser, useAppPages } from "./app-page.ts";

// What stays in somebody else's browser, and until when.

const pages = useAppPages();
const SOUND = `new File([${bytesCode(smallWav())}], "Kick.wav")`;

/** Gives a page `client`, whose uploads never end while `stalls`, `paired` and `stored`, which reads the database. */
async function prepare(page: Page, relay: RunningRelay, token?: string): Promise<void> {
  await page.waitForFunction("globalThis.soundferry !== undefined");
  await page.evaluate(`(() => {
    const relayUrl = ${JSON.stringify(relay.url)};
    globalThis.stalls = true;
    const store = new soundferry.LocalStorageTokenStore(relayUrl);
    if (${JSON.stringify(token ?? "")} !== "") void store.save(${JSON.stringify(token ?? "")});
    globalThis.clientWith = (tokenStore, settings = {}) =>
      new soundferry.SoundferryClient({
        relayUrl,
        tokenStore,
        app: { name: "Looper", id: "app-1" },
        ...(stalls && { upload: () => new Promise(() => {}) }),
        ...settings,
      });
    globalThis.client = clientWith(store);
    globalThis.begin = (options) =>
      new Promise((resolve, reject) => {
        client
          .send({ title: "Take one", sounds: [{ source: ${SOUND} }] }, { ...options, onAnnounced: resolve })
          .catch(reject);
      });
    globalThis.database = async (act) => {
      if (!(await indexedDB.databases()).some(({ name }) => name === "soundferry")) return [];
      const request = indexedDB.open("soundferry");
      await new Promise((resolve) => (request.onsuccess = resolve));
      const transaction = request.result.transaction(["packages", "sounds"], "readwrite");
      const read = act(transaction);
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      request.result.close();
      return read.result;
    };
    globalThis.stored = async () => ({
      packages: (await database((one) => one.objectStore("packages").getAll())).length,
      sounds: (await database((one) => one.objectStore("sounds").getAll())).length,
    });
    globalThis.listed = async () => (await client.unfinished()).map(({ title }) => title);
  })()`);
}

/** A page that was reloaded while it sent a kept package. */
async function interrupted(relay: RunningRelay) {
  const { importer, token } = await relay.paired();
  const page = await pages.open("127.0.0.1");
  await prepare(page, relay, token);
  await page.evaluate("begin({ keep: true })");
  await page.reload();
  await prepare(page, relay);
  expect(await page.evaluate("stored()")).toEqual({ packages: 1, sounds: 1 });
  const code = async (): Promise<string> =>
    (await relay.call("POST", "/importer/pairing-code", { token: importer.token })).json.code;
  return { page, token, code };
}

const EMPTY = { packages: 0, sounds: 0 };

describeInBrowser("what stays in a browser (needs Chromium)", () => {
  test("[W17] goes when the app is unpaired here, and when a person forgets it", async () => {
    await using relay = await RunningRelay.start();
    const unpaired = await interrupted(relay);
    await unpaired.page.evaluate("client.unpair()");
    expect(await unpaired.page.evaluate("stored()")).toEqual(EMPTY);
    const forgotten = await interrupted(relay);
    await forgotten.page.evaluate("client.unfinished().then(([first]) => first.forget())");
    expect(await forgotten.page.evaluate("stored()")).toEqual(EMPTY);
  });

  test("[W17] goes when a pairing is forgotten, and when it had ended before it is unpaired here", async () => {
    await using relay = await RunningRelay.start();
    const { page, token } = await interrupted(relay);
    const pairing = JSON.stringify({ relayUrl: relay.url, deviceName: "Studio", token });
    await page.evaluate(`(async () => {
      const pairings = new soundferry.Pairings(new soundferry.MemoryPairings());
      await pairings.pick(${pairing});
      await pairings.forget(${pairing});
    })()`);
    expect(await page.evaluate("stored()")).toEqual(EMPTY);
    const ended = await interrupted(relay);
    await relay.call("POST", "/app/unpair", { token: ended.token });
    expect(await ended.page.evaluate("client.unpair().catch(({ status }) => status)")).toBe(401);
    expect(await ended.page.evaluate("stored()")).toEqual(EMPTY);
  });

  test("[W17] waits for the next pairing after a 401, which can send it; until then it can be discarded", async () => {
    await using relay = await RunningRelay.start();
    const { page, token, code } = await interrupted(relay);
    await relay.call("POST", "/app/unpair", { token });
    expect(await page.evaluate("client.me().catch(({ status }) => status)")).toBe(401);
    expect(await page.evaluate("stored()")).toEqual({ packages: 1, sounds: 1 });
    expect(await page.evaluate("listed()")).toEqual(["Take one"]);
    const tried = "client.unfinished().then(([first]) => first.resume()).catch(({ code }) => code)";
    expect(await page.evaluate(tried)).toBe("NOT_PAIRED");
    await page.reload();
    await prepare(page, relay);
    await page.evaluate(
      `stalls = false, client = clientWith(new soundferry.LocalStorageTokenStore("${relay.url}"))`,
    );
    await page.evaluate(`client.pair("${await code()}")`);
    expect(await page.evaluate("listed()")).toEqual(["Take one"]);
    const { packageId } = await page.evaluate<{ packageId: string }>(
      "client.unfinished().then(([first]) => first.resume())",
    );
    expect(await page.evaluate(`client.status("${packageId}").then(({ status }) => status)`)).toBe(
      "waiting",
    );
    expect(await page.evaluate("stored()")).toEqual(EMPTY);

    const other = await interrupted(relay);
    await relay.call("POST", "/app/unpair", { token: other.token });
    await other.page.evaluate("client.me().catch(() => undefined)");
    await other.page.evaluate("client.unfinished().then(([first]) => first.forget())");
    expect(await other.page.evaluate("stored()")).toEqual(EMPTY);
  });

  test("[W17] goes at the next visit once it is a day old, also without a pairing", async () => {
    await using relay = await RunningRelay.start();
    const { page, token } = await interrupted(relay);
    const age = (ms: number) =>
      page.evaluate(`database((one) => {
        const packages = one.objectStore("packages");
        const all = packages.getAll();
        all.onsuccess = () => all.result.forEach((each) => packages.put({ ...each, startedAtMs: Date.now() - ${ms} }));
        return all;
      })`);
    await age(23 * 3_600_000);
    expect(await page.evaluate("listed()")).toEqual(["Take one"]);
    // The clock was set back by a year: a day from now counts.
    await age(-365 * 86_400_000);
    expect(await page.evaluate("listed()")).toEqual(["Take one"]);
    const kept = await page.evaluate<number>(
      'database((one) => one.objectStore("packages").getAll()).then(([one]) => Date.now() - one.startedAtMs)',
    );
    expect(kept).toBeGreaterThanOrEqual(0);
    await age(25 * 3_600_000);
    await relay.call("POST", "/app/unpair", { token });
    await page.evaluate(`localStorage.clear()`);
    expect(await page.evaluate("listed()")).toEqual([]);
    expect(await page.evaluate("stored()")).toEqual(EMPTY);
  });

  test("[W17] with keep: session nothing is stored; the page can continue it until it is left", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    const page = await pages.open("127.0.0.1");
    await prepare(page, relay, token);
    await page.evaluate('begin({ keep: "session", keepId: "one" })');
    expect(
      await page.evaluate("client.unfinished().then(([{ keepId, title }]) => ({ keepId, title }))"),
    ).toEqual({
      keepId: "one",
      title: "Take one",
    });
    expect(await page.evaluate("stored()")).toEqual(EMPTY);
    await page.reload();
    await prepare(page, relay);
    expect(await page.evaluate("listed()")).toEqual([]);
    await soon(() => page.evaluate("stored()")).toEqual(EMPTY);
  });
});
