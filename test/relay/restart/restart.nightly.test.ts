import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../engines/free-port.ts";
import { type Machine, makeMachine, type RunningCommand } from "../../cli/run-soundferry.ts";
import { RANDOM_SEED } from "../../runner/random-seed.ts";
import { Cutter } from "../../sim/cutter.ts";
import { randomFrom } from "../../sim/random.ts";
import { letPass } from "../../sim/real-time.ts";
import { ROOMY_LIMITS } from "../../sim/settings.ts";
import { PACKAGE_BYTES, pairApps, type Sent, sendSlowly } from "../../sim/slow-app.ts";

/** Well before a command that hangs is ended. */
const HANGS = { timeout: 30_000 };

const PACKAGES = 50;
const APPS = 5;

function startRelay(machine: Machine, port: number, more: object = {}): RunningCommand {
  const data = join(machine.home, "relay");
  return machine.start(["relay", "--json", "--port", String(port), "--data", data], {
    ...ROOMY_LIMITS,
    ...more,
  });
}

const isUp = ({ stdout }: { readonly stdout: string }) => stdout.includes('"url"');

test("[K11] 50 packages of 4 slow files over a restart are all committed, and nothing is sent twice", async () => {
  await using machine = await makeMachine();
  const port = await freePort();
  const before = startRelay(machine, port);
  await before.until(isUp);
  await using proxy = await Cutter.to(`http://127.0.0.1:${port}`, { waitsForTarget: true });
  const { tokens } = await pairApps(proxy.url, APPS);
  const sending: Promise<Sent>[] = [];
  const random = randomFrom(RANDOM_SEED);
  const pauseMs = () => 50 + random() * 100;
  const sendSome = (count: number) => {
    for (let at = 0; at < count; at += 1) {
      const token = tokens[at % APPS] ?? "";
      sending.push(sendSlowly({ url: proxy.url, token, pauseMs }));
    }
  };
  sendSome(PACKAGES / 2);
  await letPass(800);
  before.interrupt("SIGTERM");
  const after = startRelay(machine, port, { SOUNDFERRY_WAIT_FOR_LOCK_S: "120" });
  // Some while it drains, some while nobody listens.
  for (let round = 0; round < 5; round += 1) {
    sendSome(PACKAGES / 10);
    await letPass(1000);
  }
  const sent = await Promise.all(sending);
  expect(sent.map(({ status }) => status)).toEqual(Array(PACKAGES).fill("waiting"));
  expect(sent.map(({ bytesSent }) => bytesSent)).toEqual(sent.map(() => PACKAGE_BYTES));
  // Those that began during the restart got a time to come back: it was not over before they came.
  expect(sent.filter(({ repeated }) => repeated > 0).length).toBeGreaterThan(0);
  const ended = await before.ended;
  expect(ended.status).toBe(0);
  expect(ended.stderr).toContain("Stopping the relay. Running uploads and imports get up to 120 s");
  await after.until(isUp);
  expect(after.stderr).toContain("Waiting until it leaves the folder.");
});

test("[K11] a start that waits for the folder ends with status 0 when it is stopped, and with 1 when it takes too long", async () => {
  await using machine = await makeMachine();
  const running = startRelay(machine, 0);
  await running.until(isUp);
  const waiting = startRelay(machine, 0, { SOUNDFERRY_WAIT_FOR_LOCK_S: "600" });
  await waiting.until(({ stderr }) => stderr.includes("Waiting until it leaves the folder."));
  waiting.interrupt("SIGTERM");
  expect((await waiting.ended).status).toBe(0);
  const late = await startRelay(machine, 0, { SOUNDFERRY_WAIT_FOR_LOCK_S: "1" }).ended;
  expect(late.status).toBe(1);
  expect(late.stderr).toContain("Another relay is using");
});

test.for<[NodeJS.Signals, number]>([
  ["SIGTERM", 400],
  ["SIGINT", 0],
])(
  "[K11] a second signal, %s, stops a relay that still serves at once",
  HANGS,
  async ([second, afterMs]) => {
    await using machine = await makeMachine();
    const relay = startRelay(machine, 0, { SOUNDFERRY_STOP_DELAY_S: "600" });
    await relay.until(isUp);
    relay.interrupt("SIGTERM");
    await relay.until(({ stderr }) => stderr.includes("Stopping the relay."));
    await letPass(afterMs);
    relay.interrupt(second);
    expect((await relay.ended).status).toBe(0);
  },
);

test("[K11] a signal that a group of processes passes on counts once", async () => {
  await using machine = await makeMachine();
  const relay = startRelay(machine, 0, { SOUNDFERRY_STOP_DELAY_S: "2" });
  await relay.until(isUp);
  for (let copy = 0; copy < 5; copy += 1) {
    relay.interrupt("SIGTERM");
    await letPass(20);
  }
  expect((await relay.ended).stderr).not.toContain("at once");
});
