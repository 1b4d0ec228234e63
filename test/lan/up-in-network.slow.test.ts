import { expect, test } from "vitest";
import { ROUTES } from "../../relay/http/routes.ts";
import { manifestOf } from "../manifest-of.ts";
import { soon } from "../sim/soon.ts";
import { smallWav } from "../wav-bytes.ts";
import { COMPUTER, PHONE } from "./home-network.ts";
import type { NetworkPlace } from "./network-place.ts";
import { networkWithComputer, type RunningUp, startUp } from "./up-in-network.ts";

const { link, ...NAMED } = COMPUTER;
/** Every address of the computer, as the phone can name it. */
const ADDRESSES = { ...NAMED, link: `${link}%home0` };
const OPEN = ["home", "other", "unique"] as const;
const METRICS_PORT = 4790;

function baseOf(address: string, port: number): string {
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

/** Says at which of the computer's addresses something answers on a port. */
async function openAddresses(phone: NetworkPlace, port: number): Promise<readonly string[]> {
  const open: string[] = [];
  for (const [kind, host] of Object.entries(ADDRESSES)) {
    try {
      (await phone.connect({ host, port })).destroy();
      open.push(kind);
    } catch (error) {
      expect(String(error), kind).toMatch("ECONNREFUSED");
    }
  }
  return open;
}

test("[LAN1, LAN2] only the private addresses, only the relay's port, and only while it is on", async () => {
  const { computer, phone, machine } = await networkWithComputer();
  const metrics = { SOUNDFERRY_METRICS_PORT: String(METRICS_PORT) };
  const up = await startUp({ computer, machine }, [], metrics);
  expect(up.printed).not.toHaveProperty("lan_addresses");
  expect((await up.state()).lan).toMatchObject({ isOn: false, keepsOn: false, addresses: [] });
  expect(await openAddresses(phone, up.relayPort)).toEqual([]);
  expect((await up.choose({ isOn: true, keepsOn: false })).status).toBe(200);
  const { lan } = await up.state();
  expect(lan).toMatchObject({ isOn: true, hasVisitor: false, trouble: null, fixedBecause: null });
  expect(lan?.addresses).toEqual(OPEN.map((kind) => baseOf(COMPUTER[kind], up.relayPort)));
  // The computer's own call is no visitor's.
  await computer.call(`${baseOf(COMPUTER.home, up.relayPort)}/`);
  expect((await up.state()).lan?.hasVisitor).toBe(false);
  expect(await openAddresses(phone, up.relayPort)).toEqual([...OPEN].toSorted(byPlace));
  expect((await up.state()).lan?.hasVisitor).toBe(true);
  expect(await openAddresses(phone, up.panelPort)).toEqual([]);
  expect(await openAddresses(phone, METRICS_PORT)).toEqual([]);
  await up.choose({ isOn: false, keepsOn: false });
  expect(await openAddresses(phone, up.relayPort)).toEqual([]);
});

function byPlace(one: string, other: string): number {
  const kinds = Object.keys(ADDRESSES);
  return kinds.indexOf(one) - kinds.indexOf(other);
}

test("[LAN3, LAN4] nothing of panel, control API, importer's API and metrics is there, by no host and no spelling", async () => {
  const { computer, phone, machine } = await networkWithComputer();
  const up = await startUp({ computer, machine }, ["--lan"]);
  expect(up.printed["lan_addresses"]).toHaveLength(3);
  const base = baseOf(COMPUTER.home, up.relayPort);
  const read = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const answer = await phone.call(base + path, { method, headers });
    const { date: _, "x-request-id": __, ...others } = answer.headers;
    return { status: answer.status, text: answer.text, headers: others };
  };
  const paths = [
    ...ROUTES.filter(({ auth, path }) => auth === "importer" || path.startsWith("/importer")),
    ...["/receive", "/receive/x", "/panel", "/control/state", "/control/lan", "/metrics"].map(
      (path) => ({ path, method: "GET" }),
    ),
    ...["/%69mporter/hello", "//importer/hello", "/IMPORTER/hello", "/importer%2Fhello"].map(
      (path) => ({ path, method: "GET" }),
    ),
  ];
  const secret = new URL(up.panelUrl).hash.slice(1);
  for (const { path, method } of paths) {
    const unknown = await read("/unknown", {}, method);
    expect(unknown.status).toBe(404);
    for (const headers of [
      {},
      { host: `127.0.0.1:${up.relayPort}`, "x-forwarded-for": "127.0.0.1" },
      { "x-soundferry-secret": secret, authorization: "Bearer sfi_x" },
    ]) {
      expect(await read(path, headers, method), `${method} ${path}`).toEqual(unknown);
    }
  }
  const files = ["/../etc/passwd", "/packages/../../config.json", "/%2e%2e/relay.db", "/dist/"];
  for (const path of files) {
    const socket = await phone.connect({ host: COMPUTER.home, port: up.relayPort });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${COMPUTER.home}\r\nConnection: close\r\n\r\n`);
    const [first] = await socket.toArray();
    expect(String(first), path).toMatch(/^HTTP\/1.1 40[14] /);
  }
  for (const host of ["evil.example", "evil.local", COMPUTER.public, PHONE.home]) {
    expect((await read("/", { host })).status, host).toBe(421);
  }
});

test("[LAN5] a phone pairs only after a yes in the panel, also with the code of up --code, and then sends", async () => {
  const { computer, phone, machine } = await networkWithComputer();
  const words = ["--lan", "--auto-import", "--code", "K7MQ2X"];
  const up = await startUp({ computer, machine }, words);
  const base = baseOf(COMPUTER.home, up.relayPort);
  const send = (method: string, path: string, body: object | Uint8Array = {}, token = "") =>
    phone.call(base + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      body: body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  const claim = { code: "K7M Q2X", app_name: "Ada's phone", app_id: "phone" };
  const claiming = send("POST", "/pair/claim", claim);
  const requestId = await askedBy(up, "Ada's phone");
  await up.control("PUT", "/control/pairing-request", { request_id: requestId, answer: "allow" });
  const paired = await claiming;
  expect(paired.status).toBe(200);
  const { app_token: token } = JSON.parse(paired.text);
  const manifest = manifestOf(["kick.wav"], { title: "From the phone" });
  const announced = JSON.parse((await send("POST", "/packages", manifest, token)).text);
  const sent = await send("PUT", announced.upload["kick.wav"], smallWav(), token);
  expect(sent.status).toBe(200);
  expect((await send("POST", `/packages/${announced.package_id}/commit`, {}, token)).status).toBe(
    200,
  );
  await soon(async () => (await up.state()).finished.map(({ title }) => title)).toEqual([
    "From the phone",
  ]);
});

/** The id of the request that waits for a yes, which nobody has given. */
async function askedBy(up: RunningUp, name: string): Promise<string> {
  await soon(async () => (await up.state()).pairing.request?.name).toBe(name);
  const { request } = (await up.state()).pairing;
  expect(request?.network).toBe("192.168.50.0/24");
  expect((await up.state()).apps).toEqual([]);
  return request?.requestId ?? "";
}

test("[LAN1] the switch ends with the program, unless it is kept on", async () => {
  const { computer, phone, machine } = await networkWithComputer();
  const open = async (up: RunningUp) => openAddresses(phone, up.relayPort);
  for (const keepsOn of [false, true]) {
    const up = await startUp({ computer, machine });
    await up.choose({ isOn: true, keepsOn });
    expect(await open(up)).toHaveLength(3);
    up.command.interrupt();
    await up.command.ended;
    expect(await open(up)).toEqual([]);
    const next = await startUp({ computer, machine });
    expect(await open(next)).toHaveLength(keepsOn ? 3 : 0);
    expect((await next.state()).lan).toMatchObject({ isOn: keepsOn, keepsOn });
    next.command.interrupt();
    await next.command.ended;
  }
});

test("[LAN1] with --host the panel has the private addresses, and the switch can't be turned", async () => {
  const { computer, phone, machine } = await networkWithComputer();
  const up = await startUp({ computer, machine }, ["--host", "0.0.0.0"]);
  const { lan } = await up.state();
  expect(lan).toMatchObject({ isOn: true, fixedBecause: expect.stringContaining("--host") });
  expect(lan?.addresses).toEqual(
    [COMPUTER.home, COMPUTER.other].map((one) => baseOf(one, up.relayPort)),
  );
  const refused = await up.choose({ isOn: false, keepsOn: false });
  expect([refused.status, JSON.parse(refused.text).error]).toEqual([409, lan?.fixedBecause]);
  const hello = await phone.call(`${baseOf(COMPUTER.home, up.relayPort)}/importer/hello`);
  expect(hello.status).toBe(200);
});
