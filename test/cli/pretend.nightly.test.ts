import { expect, onTestFinished, test } from "vitest";
import { IN_NODE } from "../../client/node/in-node.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import type { PanelState } from "../../core/protocol/panel-api.ts";
import { smallWav } from "../wav-bytes.ts";
import { makeMachine } from "./run-soundferry.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const AUTOMATIC = ["--auto-import", "--code", "SND FRY"];

interface Facts {
  readonly relay_url: string;
  readonly panel_url: string;
  readonly pretends: string;
}

/** `up --pretend`, and an app that is paired with it through the published client. */
async function pretending(outcome: string, ...more: string[]) {
  const machine = await makeMachine();
  onTestFinished(() => machine[Symbol.asyncDispose]());
  const up = machine.start(["up", "--json", "--pretend", outcome, ...AUTOMATIC, ...more]);
  await up.until(({ stdout }) => stdout.endsWith("\n"));
  const facts: Facts = JSON.parse(up.stdout);
  expect(facts.pretends).toBe(outcome);
  const client = new SoundferryClient({
    relayUrl: facts.relay_url,
    tokenStore: new MemoryTokenStore(),
    app: { name: "Looper", id: "looper" },
    ...IN_NODE,
  });
  await client.pair("SND FRY");
  return { client, facts };
}

function draft(count: number, bytes = smallWav()) {
  const sounds = Array.from({ length: count }, (_, at) => ({
    source: new Blob([new Uint8Array(bytes)]),
    name: `Sound ${at + 1}`,
  }));
  return { title: "Take one", sounds };
}

async function endOf(client: SoundferryClient, packageId: string) {
  let last;
  for await (const status of client.follow(packageId)) last = status;
  return last;
}

test("[K16] partial: the second sound fails, with a sentence", async () => {
  const { client } = await pretending("partial");
  const { packageId } = await client.send(draft(3));
  const end = await endOf(client, packageId);
  expect(end?.status).toBe("partial");
  const results = end?.results ?? {};
  expect([results["1"]?.status, results["2"]?.status, results["3"]?.status]).toEqual([
    "imported",
    "failed",
    "imported",
  ]);
  expect(results["2"]?.error).toMatch(/\.$/);
});

test("[K16] failed: no sound is imported", async () => {
  const { client } = await pretending("failed");
  const { packageId } = await client.send(draft(2));
  expect((await endOf(client, packageId))?.status).toBe("failed");
});

test("[K16] expired: nobody imports it in time; a flag can change the time", async () => {
  const { client } = await pretending("expired", "--wait-window-s", "1");
  const { packageId } = await client.send(draft(1));
  expect((await endOf(client, packageId))?.status).toBe("expired");
});

test("[K16] no-room: the client knows it early, and the relay refuses packages with 507", async () => {
  const { client } = await pretending("no-room");
  await expect(client.send(draft(1))).rejects.toMatchObject({ code: "ROOM_TOO_SMALL" });
  const sha256 = "0".repeat(64);
  const items = [{ file: "kick.wav", bytes: 244, sha256 }];
  await expect(client.announce({ schema: "app2host/1", items })).rejects.toMatchObject({
    status: 507,
    code: "DEVICE_FULL",
  });
});

test("[K16] slow: an upload and an import can be watched", async () => {
  const { client } = await pretending("slow");
  const watched: Promise<string>[] = [];
  const { packageId } = await client.send(draft(1, smallWav({ frames: 60_000 })), {
    onAnnounced: ({ package_id: id }) =>
      watched.push(client.status(id).then(({ status }) => status)),
  });
  expect(await Promise.all(watched)).toEqual(["uploading"]);
  const statuses: string[] = [];
  for await (const { status } of client.follow(packageId)) statuses.push(status);
  expect(statuses[0]).toBe("waiting");
  expect(statuses.at(-1)).toBe("imported");
});

test("[K16] rate-limited: an app is refused with 429 and the seconds to wait", async () => {
  const { client } = await pretending("rate-limited");
  const stop = new AbortController();
  const waits: unknown[] = [];
  const sending = client.send(draft(8), {
    signal: stop.signal,
    onRetry: (error, seconds) => {
      waits.push([error.code, seconds > 0]);
      stop.abort();
    },
  });
  await expect(sending).rejects.toThrow();
  expect(waits[0]).toEqual(["CALLS_TOO_MANY", true]);
});

test("[K16] the terminal and the panel say it; Live is never pretended", async () => {
  const machine = await makeMachine();
  onTestFinished(() => machine[Symbol.asyncDispose]());
  const up = machine.start(["up", "--pretend", "failed"]);
  await up.until(({ stdout }) => stdout.includes("Test mode"));
  expect(up.stdout).toContain("No sound can be imported.");
  const address = new URL(/http:\S+#\S+/.exec(up.stdout)?.[0] ?? "");
  const answer = await fetch(new URL("/control/state", address), {
    headers: { "x-soundferry-secret": address.hash.slice(1) },
  });
  const reader = answer.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  const [line = ""] = new TextDecoder().decode(value).split("\n", 1);
  const state: PanelState = JSON.parse(line);
  expect([state.pretends, state.host.name]).toEqual(["failed", "preview"]);

  const live = await machine.run(["up", "--pretend", "failed", "--host", "live"]);
  expect([live.status, live.stderr]).toEqual([2, expect.stringContaining("the preview")]);
  const unknown = await machine.run(["up", "--pretend", "fail"]);
  expect([unknown.status, unknown.stderr]).toEqual([2, expect.stringContaining("partial")]);
});

const ROOT = join(import.meta.dirname, "../..");
/** A disk that is always full. */
const FULL = "/dev/full";

/** A relay whose log can't be written. */
async function relayLoggingTo(log: "full" | "closed") {
  const data = await mkdtemp(join(tmpdir(), "soundferry-full-log-"));
  const words = ["relay", "--data", data, "--port", "0", "--log-level", "info", "--json"];
  const child = spawn(process.execPath, ["cli/soundferry.ts", ...words], {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], HOME: data, SOUNDFERRY_MIN_FREE_BYTES: "0" },
    stdio: ["ignore", "pipe", log === "full" ? openSync(FULL, "w") : "pipe"],
    timeout: 60_000,
  });
  child.stderr?.destroy();
  const ended = once(child, "exit");
  if (child.stdout === null) throw new Error("It has no stdout.");
  const [printed] = await once(child.stdout.setEncoding("utf8"), "data");
  const { url } = JSON.parse(String(printed)) as { url: string };
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      const ending = await ended;
      await rm(data, { recursive: true });
      return ending;
    },
  };
}

test.skipIf(!existsSync(FULL)).for(["full", "closed"] as const)(
  "[K1] a relay whose log can't be written (%s) answers, and stops on SIGTERM (needs /dev/full)",
  async (log) => {
    const { url, stop } = await relayLoggingTo(log);
    for (const path of ["/nowhere", "/readyz", "/v1/nothing", "/readyz"]) {
      const { status } = await fetch(url + path, { signal: AbortSignal.timeout(10_000) });
      expect(status).toBe(path === "/readyz" ? 200 : 404);
    }
    expect(await stop()).toEqual([0, null]);
  },
);
