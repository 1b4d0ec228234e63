import { openAsBlob } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { streamingUpload } from "../../client/node/in-node.ts";
import type { OutgoingPackage } from "../../client/send/package-draft.ts";
import type { SoundferryClient } from "../../client/soundferry-client.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import {
  acceptAll,
  callsOf,
  instantPace,
  pairedClient,
  type StandInAnswer,
  startStandIn,
} from "./stand-in-relay.ts";

const FILES = ["a.wav", "b.wav", "c.wav", "d.wav", "e.wav"];

function packageOf(files: readonly string[]): OutgoingPackage {
  return {
    manifest: {
      schema: "app2host/1",
      title: "Take one",
      items: files.map((file) => ({ file, bytes: 4, sha256: "0".repeat(64) })),
    },
    sounds: new Map(files.map((file) => [file, new Blob([file.slice(0, 1).repeat(4)])])),
  };
}

function clientOf(relayUrl: string, pace = instantPace()): SoundferryClient {
  return pairedClient(relayUrl, { pace });
}

describe("send", () => {
  test("[W3][W4] announces, uploads at most three at once, then commits", async () => {
    let begun = 0;
    let running = 0;
    let most = 0;
    const three = Promise.withResolvers<void>();
    await using relay = await startStandIn(async (request) => {
      if (request.method !== "PUT") return acceptAll(request);
      begun += 1;
      running += 1;
      most = Math.max(most, running);
      // An unexpected fourth, sent along with the third, would arrive before this call.
      if (running === 3) void fetch(`${relay.url}/later`).then(() => three.resolve());
      await three.promise;
      running -= 1;
      return acceptAll(request);
    });
    const sent: string[] = [];
    const answer = await clientOf(relay.url).sendManifest(packageOf(FILES), {
      onProgress: ({ phase, file, fileBytes, doneBytes, totalBytes }) =>
        sent.push(`${phase} ${file} ${fileBytes}, ${doneBytes}/${totalBytes}`),
    });

    expect(answer).toEqual({ packageId: "pkg_1", warnings: [] });
    expect(most).toBe(3);
    const calls = callsOf(relay.seen.filter(({ path }) => path !== "/later"));
    expect(calls[0]).toBe("POST /packages");
    expect(calls.slice(1, -1).toSorted()).toEqual(
      FILES.map((file) => `PUT /packages/pkg_1/files/${file}`),
    );
    expect(calls.at(-1)).toBe("POST /packages/pkg_1/commit");
    expect(sent.map((line) => line.replace(/ \w\./, " x."))).toEqual(
      FILES.map((_, index) => `uploading x.wav 4, ${4 * (index + 1)}/20`),
    );
    expect(String(relay.seen.find(({ path }) => path.endsWith("b.wav"))?.body)).toBe("bbbb");
  });

  test("[W4] retries idempotent calls with growing backoff and the same key, never before Retry-After", async () => {
    await using relay = await startStandIn((request, count) => {
      if (count === 1) return "hang up";
      if (count === 2) return { status: 503 };
      if (count === 3) return { status: 429, headers: { "retry-after": "9" } };
      if (count === 5) return "hang up";
      if (count === 7) return { status: 500 };
      return acceptAll(request);
    });
    const pace = instantPace();
    const retried: string[] = [];
    await clientOf(relay.url, pace).sendManifest(packageOf(["a.wav"]), {
      onRetry: (error, waitSeconds) => retried.push(`${error.status} ${waitSeconds}`),
    });

    expect(retried).toEqual(["undefined 0.25", "503 0.5", "429 9", "undefined 0.25", "500 0.25"]);
    expect(pace.waits).toEqual([250, 500, 9000, 250, 250]);
    const keys = relay.seen.slice(0, 4).map(({ headers }) => headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(relay.seen.at(-1)?.path).toBe("/packages/pkg_1/commit");
  });

  test.each([
    { status: 422, headers: {} },
    { status: 507, headers: {} },
    { status: 429, headers: { "retry-after": "3600" } },
  ])("[W4] does not retry a failure that waiting can't fix: $status", async (refused) => {
    await using relay = await startStandIn(() => refused);
    await expect(clientOf(relay.url).sendManifest(packageOf(["a.wav"]))).rejects.toMatchObject({
      status: refused.status,
    });
    expect(relay.seen).toHaveLength(1);
  });

  test("[W4] gives up after eight refusals in a row", async () => {
    const body = { error: "The relay is busy.", code: "BUSY" };
    await using relay = await startStandIn(() => ({ status: 503, body }));
    await expect(clientOf(relay.url).sendManifest(packageOf(["a.wav"]))).rejects.toMatchObject({
      status: 503,
    });
    expect(relay.seen).toHaveLength(8);
  });

  test("[W4] stops the other uploads and commits nothing when one sound is refused", async () => {
    await using relay = await startStandIn((request) =>
      request.path.endsWith("b.wav")
        ? { status: 422, body: { error: "b.wav: not a WAV file.", code: "WAV_NOT_RIFF" } }
        : acceptAll(request),
    );
    await expect(clientOf(relay.url).sendManifest(packageOf(FILES))).rejects.toMatchObject({
      code: "WAV_NOT_RIFF",
    });
    expect(relay.seen.some(({ path }) => path.endsWith("/commit"))).toBe(false);
    expect(relay.seen.some(({ path }) => path.endsWith("e.wav"))).toBe(false);
  });

  test("[W2] reports a file that changed meanwhile and does not retry it", async () => {
    await using relay = await startStandIn(acceptAll);
    const path = join(await temporaryFolder(), "a.wav");
    await writeFile(path, "four");
    const { manifest } = packageOf(["a.wav"]);
    const sounds = new Map([["a.wav", await openAsBlob(path)]]);
    await writeFile(path, "more than four");
    const pace = instantPace();
    await expect(
      clientOf(relay.url, pace).sendManifest({ manifest, sounds }),
    ).rejects.toMatchObject({
      code: "SOUND_UNREADABLE",
    });
    expect(pace.waits).toEqual([]);
  });

  test("names a sound whose bytes are missing", async () => {
    await using relay = await startStandIn(acceptAll);
    const { manifest } = packageOf(["a.wav"]);
    await expect(clientOf(relay.url).sendManifest({ manifest, sounds: new Map() })).rejects.toThrow(
      "a.wav: the bytes of this sound are missing.",
    );
  });

  test("[W12] aborted, it withdraws the package and carries the signal's reason", async () => {
    const stop = new AbortController();
    await using relay = await startStandIn((request) => {
      if (request.method === "PUT") stop.abort(new Error("Stopped by hand."));
      return acceptAll(request);
    });
    await expect(
      clientOf(relay.url).sendManifest(packageOf(FILES), { signal: stop.signal }),
    ).rejects.toMatchObject({
      name: "AbortError",
      code: "SEND_ABORTED",
      outcome: "withdrawn",
      packageId: "pkg_1",
      cause: { message: "Stopped by hand." },
    });
    expect(callsOf(relay.seen)).toContain("DELETE /packages/pkg_1");
  });
});

test("[W5] streams in Node, reports every piece and sets Content-Length", async () => {
  await using relay = await startStandIn(() => ({ body: { file: "big.wav" } }));
  const client = pairedClient(relay.url, { upload: streamingUpload(fetch) });
  const path = join(await temporaryFolder(), "big.wav");
  await writeFile(path, new Uint8Array(300_000));
  const sent: number[] = [];
  await client.upload("/big.wav", await openAsBlob(path), {
    onProgress: (sentBytes) => sent.push(sentBytes),
  });
  expect(sent.length).toBeGreaterThan(2);
  expect(sent.at(-1)).toBe(300_000);
  expect(relay.seen[0]?.headers["content-length"]).toBe("300000");
  expect(relay.seen[0]?.body).toHaveLength(300_000);
});

test("[W5] aborts an upload without progress in Node", async () => {
  await using relay = await startStandIn(() => new Promise<StandInAnswer>(() => {}));
  const client = pairedClient(relay.url, { upload: streamingUpload(fetch, 100) });
  await expect(client.upload("/a.wav", new Blob(["x"]))).rejects.toMatchObject({
    status: undefined,
    code: "TIMEOUT",
    message: `${relay.url} did not answer in time.`,
  });
});
