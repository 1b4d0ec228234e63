import { join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../cli/doctor/finding.ts";
import { makeMachine } from "./run-soundferry.ts";
import { writeFile } from "node:fs/promises";
import { startStandIn } from "../client/stand-in-relay.ts";
import { relayWhere } from "./relay-where.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";

test("[K3] flags win over the environment, and port 0 prints the port it took", async () => {
  await using machine = await makeMachine();
  const folder = join(machine.home, "by flag");
  const words = ["relay", "--json", "--port", "0", "--data", folder, "--registration", "open"];
  const relay = machine.start(words, {
    SOUNDFERRY_PORT: "not a port",
    SOUNDFERRY_DATA: "/nowhere/by environment",
    SOUNDFERRY_BASE_URL: "https://relay.example/",
    SOUNDFERRY_LOG_LEVEL: "",
  });
  await relay.until(({ stdout }) => stdout.endsWith("\n"));
  expect(JSON.parse(relay.stdout)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
    base_url: "https://relay.example",
    metrics_url: null,
    data_folder: folder,
  });
  relay.interrupt();
  expect((await relay.ended).status).toBe(0);
});

test("[K12] a strange variable is named once at the start of a relay, which serves", async () => {
  await using machine = await makeMachine();
  const relay = machine.start(["relay", "--json"], {
    SOUNDFERRY_SERVICE_PORT: "4700",
    SOUNDFERRY_FAVORITE: "x",
  });
  await relay.until(({ stdout }) => stdout.endsWith("\n"));
  relay.interrupt();
  const { stderr } = await relay.ended;
  expect(stderr.match(/Not settings, and ignored: SOUNDFERRY_FAVORITE\./g)).toHaveLength(1);
  expect(stderr.match(/Set by a container platform/g)).toHaveLength(1);
});

test("[R3][I4] recognizes a running relay and importer", async () => {
  await using machine = await makeMachine();
  const up = machine.start(["up", "--json"]);
  await up.until(({ stdout }) => stdout.endsWith("\n"));
  const { relay_url: relay, panel_port: panel } = JSON.parse(up.stdout);
  const ports = ["--port", new URL(relay).port, "--panel-port", String(panel)];
  const words = ["doctor", "--json", ...ports, "--relay-url", relay];
  const { ok, findings }: { ok: boolean; findings: Finding[] } = JSON.parse(
    (await machine.run(words)).stdout,
  );
  const find = (wanted: string) => findings.find(({ check }) => check === wanted);
  expect(find("relay-port")?.sentence).toContain("a Soundferry relay is running there");
  if (process.platform === "linux") {
    expect(find("panel-port")?.sentence).toContain("the importer is running there");
  }
  expect(find("importer-lock")?.sentence).toMatch(/^An importer is running \(process \d+/);
  expect(find("relay")?.sentence).toBe(`The relay at ${relay} is running (version 0.1.0).`);
  expect(find("clock")?.state).toBe("ok");
  expect(ok).toBe(true);
});

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
  const words = ["send", join(machine.home, wav), "--relay", relay.url, "--code", "x"];
  const send = machine.start(words);
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
