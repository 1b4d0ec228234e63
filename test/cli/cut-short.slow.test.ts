import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startStandIn } from "../client/stand-in-relay.ts";
import { relayWhere } from "./relay-where.ts";
import { makeMachine } from "./run-soundferry.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";

const wav = "a.wav";

test("[K1] Ctrl-C while it follows leaves the package waiting, says so and exits 0", async () => {
  await using machine = await makeMachine();
  await using relay = await startStandIn((request) =>
    request.path.includes("wait=")
      ? new Promise(() => {})
      : relayWhere({ status: "waiting" })(request),
  );
  await writeFile(join(machine.home, wav), "x");
  const words = ["send", join(machine.home, wav), "--relay", relay.url, "--code", "x", "--json"];
  const send = machine.start(words);
  await send.until(({ stderr }) => stderr.includes("Waiting for Import"));
  send.interrupt();
  const { status, stdout, stderr } = await send.ended;
  expect(stderr).toContain("The package is still waiting for Import.");
  expect(JSON.parse(stdout)).toMatchObject({ status: "waiting" });
  expect(status).toBe(0);
  expect(relay.seen.some(({ method }) => method === "DELETE")).toBe(false);
});

test("[K1] Ctrl-C while it sends withdraws the package and exits 1", async () => {
  await using machine = await makeMachine();
  await using relay = await startStandIn((request) =>
    request.method === "PUT" ? new Promise(() => {}) : relayWhere({})(request),
  );
  await writeFile(join(machine.home, wav), "x");
  const send = machine.start([
    "send",
    join(machine.home, wav),
    "--relay",
    relay.url,
    "--code",
    "x",
  ]);
  await send.until(({ stderr }) => stderr.includes("Package pkg_1"));
  send.interrupt();
  const { status, stderr } = await send.ended;
  expect(stderr).toContain("Stopped; nothing was sent.");
  expect(status).toBe(1);
  expect(relay.seen.at(-1)).toMatchObject({ method: "DELETE", path: "/packages/pkg_1" });
});

const ROOT = join(import.meta.dirname, "../..");
/** A disk that is always full. */
const FULL = "/dev/full";

test.skipIf(!existsSync(FULL))(
  "[K1] reports output that can't be written in a sentence, and exits 1 (needs /dev/full)",
  async () => {
    const words = ["cli/soundferry.ts", "layout", "fixtures/packages/one-shot-kit"];
    const command = spawn(process.execPath, words, {
      cwd: ROOT,
      stdio: ["ignore", openSync(FULL, "w"), "pipe"],
    });
    const said = command.stderr === null ? "" : text(command.stderr);
    expect(await once(command, "exit")).toEqual([1, null]);
    expect(await said).toMatch(/^The output can't be written: ENOSPC[^\n]*\.\n$/);
  },
);
