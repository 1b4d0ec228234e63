import { rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import {
  describeInBrowser,
  useAppPages,
  bytesCode,
  clientCode,
  startOpenStandIn,
} from "./app-page.ts";
import { Cutter } from "../sim/cutter.ts";
import type { StandInAnswer } from "./stand-in-relay.ts";
import { soon } from "../sim/soon.ts";

// The built client in a real browser, on a page of another origin than the relay's.
const pages = useAppPages();
/** The page calls the relay by a name of its own, which a relay on this computer must know (rule C4). */
const NAMED = { SOUNDFERRY_ALLOWED_HOSTS: "relay.example" };
/** A sound that is larger than the buffers of the browser and the network. */
const LONG = smallWav({ frames: 8_000_000 });
/** The same as a File created by a page. */
const LONG_FILE = `new File([${bytesCode(LONG.subarray(0, 44))}, new Uint8Array(${LONG.length - 44})], "Long Drums.wav")`;
const SMALL = bytesCode(smallWav());
const uploadAt = (port: number): string =>
  `${clientCode(port)}.upload("/a.wav", new Blob(["x"])).catch(({ message }) => message)`;

describeInBrowser("the built client (needs Chromium)", () => {
  test("[W1][W3][W5][W8][W9] pairs, sends over a broken connection, follows to the end, withdraws and unpairs", async () => {
    await using relay = await RunningRelay.start(NAMED);
    const { importer } = await importerAtWork(relay.url);
    const { code } = await importer.pairingCode();
    await using line = await Cutter.to(relay.url);
    const page = await pages.open();
    await page.exposeFunction("cut", () => line.breakStalled());
    await page.exposeFunction("repair", () => line.repair());
    expect(await page.evaluate("[isSecureContext, crypto.subtle]")).toEqual([false, undefined]);

    await page.evaluate(`(async () => {
      globalThis.app = { name: "Looper", id: soundferry.localAppId() };
      globalThis.pairings = new soundferry.Pairings(new soundferry.LocalStoragePairings(), { app });
      const pairing = await pairings.pair("http://relay.example:${line.port}/", "${code}");
      globalThis.client = pairings.clientOf(pairing);
    })()`);
    line.play({ at: { bytes: 2_000_000 }, does: "stall" });
    const sent = await page.evaluate<{
      packageId: string;
      warnings: unknown[];
      retries: string[];
      progress: { phase: string; fileBytes: number; doneBytes: number; totalBytes: number }[];
    }>(`(async () => {
      const file = ${LONG_FILE};
      const retries = [];
      const progress = [];
      let isCut = false;
      const draft = {
        title: "Take one",
        bpm: 120,
        sounds: [
          { source: file, kind: "loop", role: "drums", lengthBeats: 4 },
          { source: ${SMALL}, id: "hit", name: "Hit" },
        ],
      };
      const sent = await client.send(draft, {
        onRetry: ({ message }) => {
          retries.push(message);
          repair();
        },
        onProgress: (step) => {
          progress.push(step);
          const isUnderWay = step.phase === "uploading" && step.file === "Long Drums.wav"
            && step.fileBytes > 0 && step.fileBytes < file.size;
          if (isUnderWay && !isCut) {
            isCut = true;
            cut();
          }
        },
      });
      return { ...sent, retries, progress };
    })()`);

    expect(sent.warnings).toEqual([]);
    // On a kept connection that is reset, Chromium repeats the request itself: then the relay says where to continue.
    expect(sent.retries).toHaveLength(1);
    expect(sent.retries[0]).toMatch(/ was lost\. Check the network\.$|: continue at byte \d+\.$/);
    const totalBytes = LONG.length + smallWav().length;
    const hashed = sent.progress.filter(({ phase }) => phase === "hashing");
    expect(hashed).toHaveLength(Math.ceil(LONG.length / 1_048_576) + 1);
    expect(hashed.at(-1)).toMatchObject({ doneBytes: totalBytes, totalBytes });
    const uploading = sent.progress.slice(hashed.length);
    expect(uploading.every(({ phase }) => phase === "uploading")).toBe(true);
    expect(uploading.at(-1)).toMatchObject({ doneBytes: totalBytes, totalBytes });

    const following = page.evaluate<{ status: string; results?: object }[]>(`(async () => {
      const statuses = [];
      for await (const status of client.follow("${sent.packageId}")) statuses.push(status);
      return statuses;
    })()`);
    await importer.importAll();
    const statuses = await following;
    expect(statuses.at(-1)).toMatchObject({
      status: "imported",
      title: "Take one",
      results: {
        1: { status: "imported", track: "Long Drums (Looper)" },
        hit: { track: "Hit (Looper)" },
      },
    });

    const ended = await page.evaluate(`(async () => {
      const { packageId } = await client.send({ sounds: [{ source: new Blob([${SMALL}]) }] });
      await client.withdraw(packageId);
      const withdrawn = await client.status(packageId).catch(({ status, code }) => ({ status, code }));
      const before = await pairings.list();
      await client.unpair();
      const unpaired = await client.me().catch(({ code }) => code);
      return { withdrawn, before: before.map(({ deviceName }) => deviceName), after: await pairings.list(), unpaired };
    })()`);
    expect(ended).toEqual({
      withdrawn: { status: 404, code: "PACKAGE_UNKNOWN" },
      before: ["Studio"],
      after: [],
      unpaired: "NOT_PAIRED",
    });
  });

  test("[W5][W12] an upload stops as soon as its signal aborts, and the package is withdrawn", async () => {
    await using relay = await RunningRelay.start(NAMED);
    const { token } = await relay.paired();
    await using line = await Cutter.to(relay.url);
    line.play({ at: { bytes: 2_000_000 }, does: "stall" });
    const page = await pages.open();
    const ended = await page.evaluate(`(async () => {
      const tokenStore = new soundferry.MemoryTokenStore("${token}");
      const client = new soundferry.SoundferryClient({ relayUrl: "http://relay.example:${line.port}", tokenStore });
      const wav = ${LONG_FILE};
      const stop = new AbortController();
      const onProgress = ({ phase, fileBytes }) => {
        if (phase === "uploading" && fileBytes > 0) stop.abort(new Error("Stopped by hand."));
      };
      let packageId;
      const onAnnounced = ({ package_id }) => { packageId = package_id; };
      const { outcome, cause } = await client
        .send({ sounds: [{ source: wav }] }, { signal: stop.signal, onProgress, onAnnounced })
        .catch((error) => error);
      const code = await client.status(packageId).catch(({ code }) => code);
      return [outcome, cause.message, code];
    })()`);
    expect(ended).toEqual(["withdrawn", "Stopped by hand.", "PACKAGE_UNKNOWN"]);
  });

  test.each([
    // The browser detects a change by the file's timestamp, in seconds.
    ["changed", (path: string) => utimes(path, 1, 1)],
    ["removed", (path: string) => rm(path)],
  ])(
    "[W2] a file that was %s between hashing and sending is reported as such",
    async (_, touch) => {
      await using relay = await RunningRelay.start(NAMED);
      const { token } = await relay.paired();
      const path = join(await temporaryFolder(), "changing.wav");
      await writeFile(path, smallWav());
      const page = await pages.open();
      await page.exposeFunction("touchFile", () => touch(path));
      await page.locator("input").setInputFiles(path);
      const error = await page.evaluate(`(async () => {
      const tokenStore = new soundferry.MemoryTokenStore("${token}");
      const client = new soundferry.SoundferryClient({ relayUrl: "http://relay.example:${new URL(relay.url).port}", tokenStore });
      const { upload } = await client.announce({ schema: "app2host/1", items: [{ file: "changing.wav", bytes: ${smallWav().length}, sha256: "0".repeat(64) }] });
      const [file] = document.querySelector("input").files;
      await file.slice(0, 1).arrayBuffer();
      await touchFile();
      return client.upload(upload["changing.wav"], file).catch(({ code, message }) => ({ code, message }));
    })()`);
      expect(error).toEqual({
        code: "SOUND_UNREADABLE",
        message: "changing.wav can't be read any more; its file was changed or removed.",
      });
    },
  );

  test("[W6] a refused upload has the relay's sentence, code and Retry-After; a body that is not JSON counts as empty", async () => {
    const answers: StandInAnswer[] = [
      {
        status: 429,
        headers: { "Retry-After": "7" },
        body: { error: "Too many calls.", code: "CALLS_TOO_MANY" },
      },
      { status: 502, body: "<html>Bad gateway</html>" },
    ];
    await using relay = await startOpenStandIn(() => answers.shift() ?? "hang up");
    const page = await pages.open();
    const errors = await page.evaluate(`(async () => {
      const client = ${clientCode(relay.port)};
      const errors = [];
      for (let count = 0; count < 2; count += 1) {
        await client.upload("/a.wav", new Blob(["x"])).catch((error) => errors.push({ ...error, message: error.message }));
      }
      return errors;
    })()`);
    expect(errors).toMatchObject([
      { status: 429, code: "CALLS_TOO_MANY", message: "Too many calls.", retryAfterSeconds: 7 },
      { status: 502, message: "The relay has a problem (502). Try again later." },
    ]);
  });

  test("[W7] an upload that is redirected fails", async () => {
    const answers: StandInAnswer[] = [
      { status: 307, headers: { Location: "/elsewhere" } },
      { body: { file: "a.wav" } },
    ];
    await using relay = await startOpenStandIn(() => answers.shift() ?? "hang up");
    const page = await pages.open();
    const sentence = await page.evaluate(uploadAt(relay.port));
    expect(sentence).toMatch(/redirects to another address\. Use that one\.$/);
  });

  test("[W5] an upload without progress for two minutes is aborted", async () => {
    const arrived = Promise.withResolvers<void>();
    await using relay = await startOpenStandIn(() => {
      arrived.resolve();
      return new Promise<StandInAnswer>(() => {});
    });
    const page = await pages.open();
    await page.clock.install();
    const sentence = page.evaluate(uploadAt(relay.port));
    await arrived.promise;
    // The browser may still report the sent byte, which counts as progress.
    await soon(async () => {
      await page.clock.fastForward(120_000);
      return Promise.race([sentence, page.evaluate("null")]);
    }).toMatch(/did not answer in time\.$/);
  });

  test("[W7][W8] localStorage keeps each relay's token, and the pairings, across pages", async () => {
    const page = await pages.open();
    await page.evaluate(`(async () => {
      await new soundferry.LocalStorageTokenStore("http://one.example/").save("sfa_one");
      await new soundferry.LocalStorageTokenStore("http://two.example").save("sfa_two");
      localStorage.setItem("soundferry.pairings", "[7,");
      globalThis.appId = soundferry.localAppId();
    })()`);
    const appId = await page.evaluate("appId");
    expect(appId).toMatch(/^[0-9a-f]{32}$/);
    await page.reload();
    await page.waitForFunction("globalThis.soundferry !== undefined");
    const kept = await page.evaluate(`(async () => {
      const one = new soundferry.LocalStorageTokenStore("http://one.example");
      await one.forget("sfa_two");
      const before = await one.load();
      await one.forget("sfa_one");
      const two = new soundferry.LocalStorageTokenStore("http://two.example");
      const pairings = new soundferry.Pairings(new soundferry.LocalStoragePairings());
      const damaged = await pairings.list();
      await pairings.pick({ relayUrl: "http://one.example", deviceName: "Studio", token: "sfa_x" });
      const names = (await pairings.list()).map(({ deviceName }) => deviceName);
      return [soundferry.localAppId(), before, await one.load(), await two.load(), damaged, names];
    })()`);
    expect(kept).toEqual([appId, "sfa_one", undefined, "sfa_two", [], ["Studio"]]);
  });

  test("[W6] a page that may not store anything reports it", async () => {
    const page = await pages.open();
    const code = await page.evaluate(`new Promise((resolve) => {
      addEventListener("message", ({ data }) => resolve(data));
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-scripts";
      frame.srcdoc = \`<script type="module">
        const { LocalStorageTokenStore } = await import("\${location.origin}/client.js");
        const store = new LocalStorageTokenStore("http://one.example");
        await store.load().catch(({ code }) => parent.postMessage(code, "*"));
      </script>\`.replace("<\\/", "</");
      document.body.append(frame);
    })`);
    expect(code).toBe("STORAGE_FORBIDDEN");
  });

  test("[W43] a page on https says why it can't call a relay on http, and calls one on this computer", async () => {
    await using relay = await RunningRelay.start();
    const page = await pages.openSecure();
    const refused = await page.evaluate(`(async () => {
      const settings = { tokenStore: new soundferry.MemoryTokenStore(), app: { name: "Looper", id: "1" } };
      const pairAt = (relayUrl) =>
        new soundferry.SoundferryClient({ relayUrl, ...settings })
          .pair("222222").catch(({ code, message }) => [code, message]);
      return [await pairAt("http://relay.example"), await pairAt(${JSON.stringify(relay.url)})];
    })()`);
    expect(refused).toEqual([
      [
        "MIXED_CONTENT",
        "This page is secure (https) and can't call http://relay.example. Use the relay's https address.",
      ],
      ["CODE_UNKNOWN", "This code is wrong, used or expired. Ask Live for a new one."],
    ]);
  });
});
