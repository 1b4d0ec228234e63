import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

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
  "[K1] a relay whose log can't be written (%s) answers, and stops when it is told to (needs /dev/full)",
  async (log) => {
    const { url, stop } = await relayLoggingTo(log);
    for (const path of ["/nowhere", "/readyz", "/v1/nothing", "/readyz"]) {
      const { status } = await fetch(url + path, { signal: AbortSignal.timeout(10_000) });
      expect(status).toBe(path === "/readyz" ? 200 : 404);
    }
    expect(await stop()).toEqual([0, null]);
  },
);
