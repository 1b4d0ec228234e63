import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { readPages } from "../docs/read-pages.ts";
import { describeInBrowser, useAppPages, bytesCode } from "./app-page.ts";
import { soon } from "../sim/soon.ts";
import { Cutter } from "../sim/cutter.ts";

// Packages kept in a real browser, on a page loaded over plain http and so without Web Locks.

const pages = useAppPages();
/** The page calls the relay by a name of its own, which a relay on this computer must know (rule C4). */
const NAMED = { SOUNDFERRY_ALLOWED_HOSTS: "relay.example" };
const LONG = smallWav({ frames: 8_000_000 });
const LONG_FILE = `new File([${bytesCode(LONG.subarray(0, 44))}, new Uint8Array(${LONG.length - 44})], "Long Drums.wav")`;

interface Setup {
  readonly page: Page;
  /** Gives a page a `client` and `states`. */
  readonly prepare: (page: Page) => Promise<void>;
}

/** A page whose connection to the relay stalls in the middle of a long sound. */
async function stalled(relay: RunningRelay, line: Cutter, host?: string): Promise<Setup> {
  const { token } = await relay.paired();
  const prepare = async (page: Page): Promise<void> => {
    await page.waitForFunction("globalThis.soundferry !== undefined");
    await page.evaluate(`(() => {
      globalThis.states = [];
      globalThis.client = new soundferry.SoundferryClient({
        relayUrl: "http://relay.example:${line.port}",
        tokenStore: new soundferry.MemoryTokenStore("${token}"),
      });
      globalThis.options = {
        keep: true,
        onState: (state) => states.push(state),
        onProgress: ({ phase, fileBytes }) => { globalThis.uploaded = phase === "uploading" ? fileBytes : 0; },
        onAnnounced: ({ package_id }) => { globalThis.packageId = package_id; },
      };
      // Waits until the lease of a page that was closed expires.
      globalThis.once = async (act) => {
        for (;;) {
          try {
            return await act();
          } catch (error) {
            if (error.code !== "SENT_ELSEWHERE") throw error;
            await new Promise((resolve) => setTimeout(resolve, 500));
          }
        }
      };
    })()`);
  };
  const page = await pages.open(host);
  await prepare(page);
  line.play({ at: { bytes: 2_000_000 }, does: "stall" });
  await page.evaluate(
    `void (globalThis.sending = client.send({ title: "Take one", sounds: [{ source: ${LONG_FILE} }] }, options).catch((error) => error))`,
  );
  await page.waitForFunction("globalThis.uploaded > 0");
  return { page, prepare };
}

describeInBrowser("a kept package (needs Chromium)", () => {
  test("[W15] is resumed after the page was reloaded", async () => {
    await using relay = await RunningRelay.start(NAMED);
    await using line = await Cutter.to(relay.url);
    const { page, prepare } = await stalled(relay, line);
    const packageId = await page.evaluate("packageId");
    await page.reload();
    line.repair();
    await prepare(page);
    const resumed = await page.evaluate(`(async () => {
      const [first, ...others] = await client.unfinished();
      const { title, files, totalBytes, packageId } = first;
      const sent = await once(() => first.resume({ onState: options.onState }));
      const { status } = await client.status(sent.packageId);
      const left = await client.unfinished();
      const gone = await first.resume().catch(({ code }) => code);
      return { title, files, totalBytes, packageId, others, sent, status, left, gone, states };
    })()`);
    expect(resumed).toEqual({
      title: "Take one",
      files: ["Long Drums.wav"],
      totalBytes: LONG.length,
      packageId,
      others: [],
      sent: { packageId, warnings: [] },
      status: "waiting",
      left: [],
      gone: "UNFINISHED_GONE",
      states: ["uploading", "committing"],
    });
  });

  test("[W15] is resumed by the example of docs/use/client.md", async () => {
    await using relay = await RunningRelay.start(NAMED);
    await using line = await Cutter.to(relay.url);
    const { page, prepare } = await stalled(relay, line);
    await page.reload();
    line.repair();
    await prepare(page);
    const blocks = readPages().find(({ path }) => path === "docs/use/client.md")?.blocks ?? [];
    const example = blocks.find(({ text }) => text.includes("client.unfinished()"))?.text ?? "";
    const printed: string[] = [];
    page.on("console", (message) => printed.push(message.text()));
    await page.evaluate(`once(async () => { ${example} })`);
    expect(new Set(printed)).toEqual(
      new Set(["Sending Take one again …", "uploading", "committing"]),
    );
    expect(await page.evaluate("client.unfinished()")).toEqual([]);
  });

  test.each(["app.example", "127.0.0.1"])(
    "[W15] can't be resumed by two tabs, and is withdrawn when it is forgotten, at %s",
    async (host) => {
      await using relay = await RunningRelay.start(NAMED);
      await using line = await Cutter.to(relay.url);
      const { page, prepare } = await stalled(relay, line, host);
      const packageId = await page.evaluate<string>("packageId");
      const other = await page.context().newPage();
      await other.goto(page.url());
      await prepare(other);
      const codes = await other.evaluate(`(async () => {
        const [first] = await client.unfinished();
        return [await first.resume().catch(({ code }) => code), await first.forget().catch(({ code }) => code)];
      })()`);
      expect(codes).toEqual(["SENT_ELSEWHERE", "SENT_ELSEWHERE"]);
      await page.close();
      line.repair();
      const code = await other.evaluate(`(async () => {
        const [first] = await client.unfinished();
        await once(() => first.forget());
        return client.status("${packageId}").catch(({ code }) => code);
      })()`);
      expect(code).toBe("PACKAGE_UNKNOWN");
    },
  );

  test("[W13] pauses while the browser is offline, and resumes once it is online", async () => {
    await using relay = await RunningRelay.start(NAMED);
    await using line = await Cutter.to(relay.url);
    const { page } = await stalled(relay, line);
    await page.context().setOffline(true);
    // Late progress restarts the half minute without progress.
    await page.waitForFunction('states.at(-1) === "paused"', undefined, { timeout: 60_000 });
    line.breakStalled();
    line.repair();
    await page.context().setOffline(false);
    const status = await page.evaluate(
      "sending.then(({ packageId }) => client.status(packageId)).then(({ status }) => status)",
    );
    expect(status).toBe("waiting");
    expect(await page.evaluate("states")).toEqual([
      "hashing",
      "uploading",
      "paused",
      "uploading",
      "committing",
    ]);
  });

  test("[W12] a withdrawal that can't be delivered is delivered once the browser is online", async () => {
    await using relay = await RunningRelay.start(NAMED);
    await using line = await Cutter.to(relay.url);
    const { token } = await relay.paired();
    const page = await pages.open();
    await page.evaluate(`(() => {
      const relayUrl = "http://relay.example:${line.port}";
      globalThis.tokenStore = new soundferry.LocalStorageTokenStore(relayUrl);
      globalThis.client = new soundferry.SoundferryClient({ relayUrl, tokenStore });
      globalThis.stop = new AbortController();
      return tokenStore.save("${token}");
    })()`);
    line.play({ at: { bytes: 2_000_000 }, does: "stall" });
    await page.evaluate(`void (globalThis.sending = client.send({ sounds: [{ source: ${LONG_FILE} }] }, {
      signal: stop.signal,
      onProgress: ({ phase, fileBytes }) => { globalThis.uploaded = phase === "uploading" ? fileBytes : 0; },
    }).catch(({ name, outcome, packageId }) => ({ name, outcome, packageId })))`);
    await page.waitForFunction("globalThis.uploaded > 0");
    await page.context().setOffline(true);
    await page.evaluate("stop.abort()");
    const aborted = await page.evaluate<{ packageId: string }>("sending");
    expect(aborted).toMatchObject({ name: "AbortError", outcome: "pending" });
    expect(await page.evaluate("tokenStore.withdrawals.load()")).toEqual([aborted.packageId]);
    line.breakStalled();
    line.repair();
    await page.context().setOffline(false);
    await soon(() => page.evaluate("tokenStore.withdrawals.load()")).toEqual([]);
    const code = await page.evaluate(
      `client.status("${aborted.packageId}").catch(({ code }) => code)`,
    );
    expect(code).toBe("PACKAGE_UNKNOWN");
  });
});
