import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { readPages } from "./read-pages.ts";

const ROOT = join(import.meta.dirname, "../..");
const environment = { ...process.env, SOUNDFERRY_PORT: "0", SOUNDFERRY_LOG_LEVEL: "silent" };
const page = readPages().find(({ path }) => path === "docs/build/stores.md");
const [commands = ""] = (page?.blocks ?? []).map(({ text }) => text);
const [relay = [], proof = []] = commands.split("\n").map((line) => line.split(" ").slice(1));

test("the example's relay starts in a checkout as docs/build/stores.md says, and prints its address", async () => {
  const running = spawn(process.execPath, relay, {
    cwd: ROOT,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void running.kill());
  const [url] = await once(createInterface({ input: running.stdout }), "line");
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test("the example's proof passes in a checkout as docs/build/stores.md says", () => {
  const printed = execFileSync(process.execPath, proof, { cwd: ROOT, encoding: "utf8" });
  expect(printed).toMatch(/^\S+ fail 0$/m);
  expect(Number(/^\S+ pass (\d+)$/m.exec(printed)?.[1])).toBeGreaterThan(100);
});
