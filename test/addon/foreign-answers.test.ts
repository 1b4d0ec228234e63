import { describe, expect, onTestFinished, test } from "vitest";
import type { RelayClient } from "../../addon/relay/relay-client.ts";
import { ENGLISH } from "../../core/messages/en/english.ts";
import { REFUSALS } from "../../core/protocol/refusals.ts";
import { type CallFault, HttpCutter } from "../sim/http-cutter.ts";
import { until } from "../sim/until.ts";
import { connected, isConnected, pairApp } from "./named-relays.ts";
import { linkTo, startStandIn } from "./relay/linked-client.ts";

const FOREIGN = ENGLISH["page.foreignAnswer"];
const PAGE = "<!doctype html><title>Sign in</title>";
const json = (body: object) => JSON.stringify(body);

/** Answers of somebody else; the last ones look like the relay's, but lack its mark. */
const FOREIGN_ANSWERS: readonly (readonly [what: string, answer: CallFault])[] = [
  ["a page", { status: 200, headers: { "content-type": "text/html" }, body: PAGE }],
  ["an empty JSON object", { status: 200, body: "{}" }],
  ["a 204", { status: 204 }],
  ["a redirect to a page", { status: 302, headers: { location: "http://login.example/" } }],
  ["a temporary redirect", { status: 307, headers: { location: "http://127.0.0.1:9/x" } }],
  ["a 401", { status: 401, body: json({ error: "Sign in first." }) }],
  ["a 403", { status: 403, body: PAGE }],
  ["a 404", { status: 404, body: PAGE }],
  ["a 429", { status: 429, headers: { "retry-after": "1" } }],
  ["a 503", { status: 503, body: PAGE }],
  ["another's refusal of the token", { status: 401, body: json(refusal("IMPORTER_UNKNOWN")) }],
  ["another's loss of the package", { status: 404, body: json(refusal("PACKAGE_UNKNOWN")) }],
  ["another's lease", { status: 409, body: json(refusal("RUN_ELSEWHERE")) }],
  [
    "another's results",
    { status: 200, body: json({ status: "imported", packages: [], apps: [] }) },
  ],
];

function refusal(code: keyof typeof REFUSALS) {
  return { error: REFUSALS[code].sentence, code };
}

const FILE = "/importer/packages/pkg_1_____________________/files/1.wav";
const CALLS: Readonly<Record<string, (client: RelayClient) => Promise<unknown>>> = {
  hello: (client) => client.hello(),
  pairingCode: (client) => client.pairingCode(),
  endPairingCode: (client) => client.endPairingCode(),
  pairingRequest: (client) => client.pairingRequest(),
  answerPairing: (client) => client.answerPairing({ request_id: "1", answer: "allow" }),
  apps: (client) => client.apps(),
  unpair: (client) => client.unpair("pair_Looper"),
  rename: (client) => client.rename("Loft"),
  packages: (client) => client.packages(),
  take: (client) => client.take("pkg_1_____________________", { run_id: "run-1" }),
  report: (client) => client.report("pkg_1_____________________", {}),
  openFile: (client) =>
    client.openFile(FILE, { startByte: 0, signal: new AbortController().signal }),
};

/** A stand-in with a package and an app, and a proxy before it. */
async function behindProxy() {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
  pairApp(relay);
  const proxy = await HttpCutter.to(relay.url);
  onTestFinished(() => proxy[Symbol.asyncDispose]());
  return { relay, proxy };
}

describe.each(FOREIGN_ANSWERS)("%s in the relay's place", (_, answer) => {
  test("[I6] is an unreachable relay to every call, and changes nothing", async () => {
    const { relay, proxy } = await behindProxy();
    const { client, identity, pauses } = linkTo(proxy.url);
    await client.apps();
    const { key } = identity;
    for (const [name, call] of Object.entries(CALLS)) {
      proxy.fault = ({ path }) =>
        path.endsWith("/hello") && name !== "hello" ? undefined : answer;
      await expect(call(client), name).rejects.toMatchObject({
        name: "ForeignAnswerError",
        status: undefined,
        message: FOREIGN,
      });
    }
    expect(pauses).toEqual([]);
    proxy.fault = () => undefined;
    expect((await client.apps()).apps).toHaveLength(1);
    expect(identity.key).toEqual(key);
    expect(relay.devices.size).toBe(1);
    expect(relay.reports.size).toBe(0);
  });

  test("[I6] instead of the WebSocket only means offline, and the identity stays", async () => {
    const { relay, proxy } = await behindProxy();
    const { importer, timers } = await connected(proxy.url);
    proxy.fault = ({ isUpgrade }) => (isUpgrade ? answer : undefined);
    proxy.dropConnections();
    await until(() => !isConnected(importer));
    timers.advance(1000);
    await until(() => importer.state.connection.trouble === FOREIGN);
    proxy.fault = () => undefined;
    timers.advance(30_000);
    await until(() => isConnected(importer));
    expect(relay.devices.size).toBe(1);
    expect(importer.state.connection.newBecause).toBeNull();
  });
});

const DANGEROUS = /^(a page|another's loss of the package|another's lease)$/;

describe.each(FOREIGN_ANSWERS.filter(([what]) => DANGEROUS.test(what)))(
  "%s in the relay's place during an import",
  (_, answer) => {
    test("[I6] neither ends an import nor loses its report", async () => {
      const { relay, proxy } = await behindProxy();
      const { importer } = await connected(proxy.url);
      let downloads = 0;
      proxy.fault = ({ path }) => {
        if (path === FILE) downloads += 1;
        const isForeign = (path === FILE && downloads === 1) || path.endsWith("/results");
        return isForeign ? answer : undefined;
      };
      const outcome = await importer.import("pkg_1_____________________");
      expect(outcome.status).toBe("imported");
      expect(downloads).toBe(2);
      expect(relay.reports.size).toBe(0);
      proxy.fault = () => undefined;
      await importer.packages();
      expect(relay.reports.get("pkg_1_____________________")).toMatchObject({
        1: { status: "imported" },
      });
    });
  },
);
