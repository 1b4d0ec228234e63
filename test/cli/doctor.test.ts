import { mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../cli/doctor/finding.ts";
import { isPatchedNode } from "../../cli/doctor/patched-node.cjs";
import { type Ending, type Machine, makeMachine } from "./run-soundferry.ts";

const NOBODY = "http://127.0.0.1:9";

async function examine(machine: Machine, words: readonly string[]) {
  return judged(await machine.runInside(["doctor", "--json", ...words]));
}

function judged({ stdout, status }: Ending) {
  const { ok, findings }: { ok: boolean; findings: Finding[] } = JSON.parse(stdout);
  const find = (wanted: string) => findings.find(({ check }) => check === wanted);
  return { ok, status, findings, find };
}

test("[K1][K2] finds no problem on a fresh machine, and only notes that no relay is running", async () => {
  await using machine = await makeMachine();
  const { ok, status, findings } = await examine(machine, ["--relay-url", NOBODY]);
  expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
    // A packaged Node that misses a security release runs, and is noted.
    `node ${isPatchedNode(process.versions.node) ? "ok" : "note"}`,
    "relay-data ok",
    "relay-port ok",
    "pairing-guesses ok",
    "importer-data ok",
    "importer-lock ok",
    "sounds ok",
    "panel-port ok",
    "live ok",
    "relay note",
  ]);
  expect([ok, status]).toEqual([true, 0]);
});

test("doctor creates no folder", async () => {
  await using machine = await makeMachine();
  const before = await machine.runInside(["doctor", "--relay-url", NOBODY]);
  expect(before.stdout).toContain("It is created at the first start.");
  const after = await machine.runInside(["doctor", "--relay-url", NOBODY]);
  const withoutSizes = (text: string) => text.replaceAll(/[\d.]+ GB/g, "some GB");
  expect(withoutSizes(after.stdout)).toBe(withoutSizes(before.stdout));
});

test("[K1] names the process on a port and a path that isn't a folder, and exits 1", async () => {
  await using machine = await makeMachine();
  const stranger = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  const { port } = stranger.address() as AddressInfo;
  const file = join(machine.home, "file");
  await writeFile(file, "");
  const words = [`--port=${port}`, `--sounds=${join(file, "sounds")}`, `--relay-url=${NOBODY}`];
  const { ok, status, find } = await examine(machine, words);
  stranger.close();
  const holder = process.platform === "linux" ? ` ${process.pid} ` : " ";
  expect(find("relay-port")).toMatchObject({
    state: "wrong",
    sentence: expect.stringContaining(`is in use by process${holder}`),
    advice: "End that process, or choose another port with SOUNDFERRY_PORT.",
  });
  expect(find("sounds")).toMatchObject({
    state: "wrong",
    sentence: `The sounds folder, ${file}/sounds, is not a folder.`,
  });
  expect([ok, status]).toEqual([false, 1]);
});

test("a full disk is a problem", async () => {
  await using machine = await makeMachine();
  const words = ["--min-free-bytes=9000000000000000", `--relay-url=${NOBODY}`];
  const { find } = await examine(machine, words);
  expect(find("relay-data")).toMatchObject({
    state: "wrong",
    sentence: expect.stringMatching(/ has .* free; 9000\.\d TB are needed\.$/),
  });
});

test.skipIf(process.platform === "win32")(
  "a folder that can't be written to is wrong",
  async () => {
    await using machine = await makeMachine();
    // Not even root writes there; elsewhere tests do not run as root.
    const folder = process.platform === "linux" ? "/proc" : join(machine.home, "sounds");
    if (folder !== "/proc") await mkdir(folder, { mode: 0o500 });
    const { find } = await examine(machine, ["--sounds", folder, "--relay-url", NOBODY]);
    expect(find("sounds")).toMatchObject({
      state: "wrong",
      sentence: expect.stringContaining("can't be written to"),
      advice: "Make it writable, or choose another with SOUNDFERRY_SOUNDS.",
    });
  },
);

test("[K3] every invalid setting is a finding", async () => {
  await using machine = await makeMachine();
  const words = ["--port=high", "--lease-s=0", "--panel-port=x", `--relay-url=${NOBODY}`];
  const { find, findings, status } = await examine(machine, words);
  expect(findings.filter(({ check }) => check === "relay-settings")).toHaveLength(2);
  expect(find("importer-settings")?.sentence).toContain("SOUNDFERRY_PANEL_PORT");
  expect(status).toBe(1);
});

test("an unreachable relay elsewhere is a problem", async () => {
  await using machine = await makeMachine();
  const { find, status } = await examine(machine, ["--relay-url", "https://relay.invalid"]);
  expect(find("relay")).toMatchObject({ state: "wrong", advice: expect.any(String) });
  expect(status).toBe(1);
});
