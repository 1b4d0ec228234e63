import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkNode } from "../../../cli/doctor/check-node.ts";
import { judgeClocks } from "../../../cli/doctor/check-relay.ts";
import { OLDEST_NODE } from "../../../cli/doctor/oldest-node.cjs";
import { PATCHED_NODES } from "../../../cli/doctor/patched-node.cjs";
import { parseLsof, parseNetstat, parseProcNet } from "../../../cli/doctor/check-port.ts";
import { judgeNetwork, type SeenCall } from "../../../cli/doctor/relay/check-address.ts";

test.each([
  [PATCHED_NODES[22], "ok"],
  [PATCHED_NODES[24], "ok"],
  ["26.100.0", "ok"],
  ["22.22.2", "note"],
  ["24.9.0", "note"],
  ["25.9.0", "note"],
  ["100.0.0", "note"],
  ["22.22.1", "wrong"],
  ["22.3.0", "wrong"],
  ["9.0.0", "wrong"],
])("[K6] Node %s is %s", (version, state) => {
  expect(checkNode(version).state).toBe(state);
});

test("[K6] doctor says what an older Node lacks, and which one to install", () => {
  const advice = `Install Node ${PATCHED_NODES[24]} or ${PATCHED_NODES[26]}, or a later version of the same major, from https://nodejs.org.`;
  expect(checkNode("24.0.0")).toEqual({
    check: "node",
    state: "note",
    sentence: `Node 24.0.0, at ${process.execPath}. It lacks the security fixes of Node ${PATCHED_NODES[24]}.`,
    advice,
  });
  expect(checkNode(PATCHED_NODES[26], "25.9.0")).toEqual({
    check: "node",
    state: "note",
    sentence: `Node ${PATCHED_NODES[26]}, at ${process.execPath}. The installed Node 25.9.0 isn't used: it belongs to a major that isn't known to get security fixes.`,
    advice,
  });
});

test("[K8] for the app, whose Node is inside, the advice is a newer app", () => {
  expect(checkNode("26.0.0", undefined, "app")).toMatchObject({
    state: "note",
    advice: "Get the newest Soundferry: its Node is inside.",
  });
});

test("[K6] the table lists even majors only, each with a version of its own", () => {
  for (const [major, version] of Object.entries(PATCHED_NODES)) {
    expect(Number(major) % 2).toBe(0);
    expect(version).toMatch(new RegExp(`^${major}\\.\\d+\\.\\d+$`));
  }
});

test("the oldest Node matches package.json", () => {
  const path = join(import.meta.dirname, "..", "..", "..", "package.json");
  expect(JSON.parse(readFileSync(path, "utf8")).engines.node).toBe(`>=${OLDEST_NODE}`);
});

test.each([
  [0, "ok", "agrees"],
  [60, "ok", "agrees"],
  [61, "wrong", "61 s behind the relay's"],
  [-3600, "wrong", "3600 s ahead of the relay's"],
])("a relay whose clock is %i s ahead: %s", (aheadSeconds, state, words) => {
  expect(judgeClocks(aheadSeconds).state).toBe(state);
  expect(judgeClocks(aheadSeconds).sentence).toContain(words);
});

test("finds the listening sockets of a port in /proc/net/tcp", () => {
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    "   0: 0100007F:125C 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41 1 0",
    "   1: 0100007F:125C 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 42 1 0",
    "   2: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 43 1 0",
  ].join("\n");
  expect(parseProcNet(table, 4700)).toEqual(["socket:[41]"]);
  expect(parseProcNet(table, 80)).toEqual(["socket:[43]"]);
  expect(parseProcNet(table, 81)).toEqual([]);
});

test("reads the process out of what lsof prints", () => {
  expect(parseLsof("p812\ncnode\nf21\n")).toEqual({ pid: 812, program: "node" });
  expect(parseLsof("")).toBeUndefined();
});

test("reads the process out of what netstat prints, whatever the system's language", () => {
  const text = [
    "  Proto  Lokale Adresse         Remoteadresse          Status           PID",
    "  TCP    127.0.0.1:47000        0.0.0.0:0              ABHÖREN          1",
    "  TCP    127.0.0.1:4700         127.0.0.1:55110        HERGESTELLT      2",
    "  TCP    127.0.0.1:4700         0.0.0.0:0              ABHÖREN          812",
    "  TCP    [::]:80                [::]:0                 ABHÖREN          4",
  ].join("\r\n");
  expect(parseNetstat(text, 4700)).toEqual({ pid: 812, program: undefined });
  expect(parseNetstat(text, 80)).toEqual({ pid: 4, program: undefined });
  expect(parseNetstat(text, 81)).toBeUndefined();
});

const HERE = "192.168.1.20";
const ABROAD = "198.51.100.7";
const HERE_TOO = { localAddress: "127.0.0.1", remoteAddress: "127.0.0.1" };
const HERE_BY_IPV6 = { localAddress: "::1", remoteAddress: "::1" };

test.for<[what: string, network: string, found: string, seen?: Partial<SeenCall>]>([
  ["this computer's address outside", "192.0.2.0/24", "ok"],
  ["this computer's own network", "192.168.1.0/24", "ok"],
  ["an IPv6 network", "2001:db8:1::/48", "ok"],
  ["the relay's loopback", "127.0.0.0/24", "wrong"],
  ["its own computer", "this-computer", "wrong"],
  ["a container's network", "172.17.0.0/24", "wrong"],
  ["the address that the proxy has for all", "198.51.100.0/24", "wrong"],
  ["another private network, as is its own", "10.8.0.0/24", "note", { remoteAddress: "10.1.0.2" }],
  ["its own computer, which this is", "this-computer", "ok", HERE_TOO],
  ["its own computer, which this is, by IPv6", "this-computer", "ok", HERE_BY_IPV6],
])("[K15] judges that a relay sees calls from %s", ([_what, network, found, seen]) => {
  const call = {
    network,
    networkWhenForged: network,
    localAddress: HERE,
    remoteAddress: ABROAD,
    ...seen,
  };
  const [forged, address] = judgeNetwork(call);
  expect(forged?.state).toBe("ok");
  expect(address).toMatchObject({ check: "address", state: found });
  expect(address?.advice === undefined).toBe(found === "ok");
});

test("[K15] a relay that believes a forged address is wrong, and on its own computer perhaps isn't", () => {
  const forged = {
    network: "192.0.2.0/24",
    networkWhenForged: "203.0.113.0/24",
    localAddress: HERE,
    remoteAddress: ABROAD,
  };
  const find = (seen: SeenCall) => judgeNetwork(seen)[0];
  expect(find(forged)).toMatchObject({ check: "forged-address", state: "wrong" });
  expect(find({ ...forged, remoteAddress: "127.0.0.1" })?.state).toBe("note");
  // A caller from that network.
  expect(find({ ...forged, network: "203.0.113.0/24" })?.state).toBe("ok");
});
