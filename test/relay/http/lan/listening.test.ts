import { once } from "node:events";
import { createServer } from "node:http";
import { createConnection, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { LAN_CONNECTIONS } from "../../../../core/quotas/budgets.ts";
import { ManualTimers } from "../../../addon/manual-timers.ts";
import { soon } from "../../../sim/soon.ts";
import { fetchAnswer } from "../../../sim/world.ts";
import { RunningRelay } from "../../running-relay.ts";
import { at, HOME, OTHER, PUBLIC, relayInLan, TestNetworks } from "./lan-relay.ts";

/** The status of a call there; the error's code where nothing listens. */
async function reach(url: string): Promise<number | string> {
  try {
    return (await fetchAnswer(`${url}/docs`, { method: "GET" })).status;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error && "code" in cause ? String(cause.code) : "no answer";
  }
}

const REFUSED = "ECONNREFUSED";

async function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

test("[LAN1] the relay listens at private addresses only while it is on, the default route's first", async () => {
  const { relay, lan } = await relayInLan({}, { isOn: false });
  expect(lan.state).toMatchObject({
    isOn: false,
    addresses: [],
    trouble: null,
    fixedBecause: null,
  });
  expect(await reach(at(relay.url, HOME))).toBe(REFUSED);
  await lan.turn(true);
  expect(lan.state.addresses).toEqual([at(relay.url, HOME), at(relay.url, OTHER)]);
  for (const address of [HOME, OTHER]) expect(await reach(at(relay.url, address))).toBe(200);
  expect(await reach(at(relay.url, PUBLIC))).toBe(REFUSED);
  const idle = await connected(at(relay.url, HOME));
  await lan.turn(false);
  await once(idle, "close");
  expect(lan.state).toMatchObject({ isOn: false, addresses: [], hasVisitor: false });
  for (const address of [HOME, OTHER]) expect(await reach(at(relay.url, address))).toBe(REFUSED);
  expect(await reach(relay.url)).toBe(200);
});

test("[LAN2] networks come and go", async () => {
  const timers = new ManualTimers();
  const { relay, lan, networks } = await relayInLan({}, { timers });
  const gone = await connected(at(relay.url, OTHER));
  networks.own = [HOME];
  timers.advance(5000);
  await soon(() => lan.state.addresses).toEqual([at(relay.url, HOME)]);
  await once(gone, "close");
  expect(await reach(at(relay.url, OTHER))).toBe(REFUSED);
  networks.own = [];
  timers.advance(5000);
  await soon(() => lan.state.trouble).toMatch(/no private network/);
  networks.own = [HOME, OTHER];
  networks.route = OTHER;
  timers.advance(5000);
  await soon(() => lan.state.addresses).toEqual([at(relay.url, OTHER), at(relay.url, HOME)]);
  expect(lan.state.trouble).toBeNull();
  expect(await reach(at(relay.url, OTHER))).toBe(200);
});

test("[LAN2] a taken port is a sentence, and the other addresses work", async () => {
  const { relay, lan } = await relayInLan({}, { isOn: false });
  const taken = createServer().listen(Number(new URL(relay.url).port), HOME);
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  await lan.turn(true);
  expect(lan.state.addresses).toEqual([at(relay.url, OTHER)]);
  expect(lan.state.trouble).toMatch(/^Another program uses port \d+ at 127\.0\.0\.2\./);
});

test("[LAN2] the name is shown only while it leads to this computer and nowhere else", async () => {
  const timers = new ManualTimers();
  const { relay, lan, networks } = await relayInLan({}, { timers });
  expect(lan.state.nameAddress).toBeNull();
  const lookAgain = async (named: readonly string[]) => {
    networks.named = named;
    for (let looks = 0; looks < 6; looks += 1) {
      const before = timers.remaining.length;
      timers.advance(5000);
      await soon(() => timers.remaining.length).toBe(before);
    }
  };
  await lookAgain([HOME]);
  const { port } = new URL(relay.url);
  await soon(() => lan.state.nameAddress).toMatch(
    new RegExp(String.raw`^http://.+\.local:${port}$`),
  );
  await lookAgain([HOME, "192.168.1.66"]);
  await soon(() => lan.state.nameAddress).toBeNull();
  await lookAgain([PUBLIC]);
  expect(lan.state.nameAddress).toBeNull();
});

test("[LAN1] says when another device has come, and not when this computer has", async () => {
  const { lan, url, networks } = await relayInLan();
  expect(await reach(url)).toBe(200);
  // The other end of each connection here is 127.0.0.1.
  expect(lan.state.hasVisitor).toBe(true);
  await lan.turn(false);
  networks.own = ["127.0.0.1", HOME];
  await lan.turn(true);
  expect(await reach(url)).toBe(200);
  expect(lan.state.hasVisitor).toBe(false);
});

test("[LAN6] a device's connections are few, and all together", async () => {
  const { relay, url } = await relayInLan();
  const { admission } = relay.relay.context;
  const sockets = await Promise.all(
    Array.from({ length: LAN_CONNECTIONS.perAddress }, () => connected(url)),
  );
  await soon(() => admission.budget("lan-connections").used).toBe(LAN_CONNECTIONS.perAddress);
  expect((await fetchAnswer(`${url}/docs`, { method: "GET" })).status).toBe(429);
  expect(await reach(relay.url)).toBe(200);
  for (const socket of sockets) socket.destroy();
  await soon(() => admission.budget("lan-connections").used).toBe(0);
  expect(await reach(url)).toBe(200);
});

test("[LAN1] a relay that stops serves no more there, and lets a running call end", async () => {
  const { relay, url } = await relayInLan();
  const unused = await connected(url);
  const unusedEnd = once(unused, "close");
  const calling = await connected(url);
  const answer: string[] = [];
  calling.setEncoding("utf8").on("data", (text: string) => answer.push(text));
  const { admission } = relay.relay.context;
  calling.write(`POST /pair/claim HTTP/1.1\r\nHost: ${HOME}\r\nContent-Length: 2\r\n\r\n`);
  await soon(() => admission.budget("claims").used).toBe(1);
  const stopped = relay.stop();
  await unusedEnd;
  await soon(() => reach(url)).toBe(REFUSED);
  calling.write("{}");
  await stopped;
  expect(answer.join("")).toMatch(/^HTTP\/1.1 400/);
});

test("[LAN1] where --host decides, the addresses are shown and can't be switched", async () => {
  const networks = new TestNetworks();
  await using relay = await RunningRelay.start({ SOUNDFERRY_HOST: "0.0.0.0" }, { networks });
  const lan = await relay.relay.openLan();
  await lan.showFixed();
  const expected = { isOn: true, addresses: [at(relay.url, HOME), at(relay.url, OTHER)] };
  expect(lan.state).toMatchObject({
    ...expected,
    fixedBecause: "The relay listens at 0.0.0.0, because --host says so.",
  });
  expect(await reach(at(relay.url, HOME))).toBe(200);
  await using alone = await RunningRelay.start({ SOUNDFERRY_HOST: PUBLIC }, { networks });
  const other = await alone.relay.openLan();
  await other.showFixed();
  expect(other.state).toMatchObject({ isOn: false, addresses: [] });
});
