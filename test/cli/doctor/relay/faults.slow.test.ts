import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { someOf } from "../../../whole-forms.ts";
import { examineSite, leftAt, troublesIn } from "./examine-site.ts";
import { hasProxyAddress, PROXY_ADDRESS, type SiteFault, startSite } from "./faulty-site.ts";
import { soon } from "../../../sim/soon.ts";

interface FaultCase {
  readonly what: string;
  readonly fault: SiteFault;
  /** Settings of the relay, over those of a well-kept site. */
  readonly settings?: Record<string, string>;
  readonly found: readonly string[];
  /** In the first advice. */
  readonly advice?: string;
}

const FAULTS: readonly FaultCase[] = [
  { what: "nothing", fault: {}, found: [] },
  {
    what: "a body limit of 1 MiB",
    fault: { maxBodyBytes: 1_048_576 },
    found: ["upload-limit wrong"],
    advice: "client_max_body_size 200m",
  },
  {
    what: "a body limit of 100 kB",
    fault: { maxBodyBytes: 100_000 },
    found: ["upload-limit wrong", "json-limit wrong"],
    advice: "client_max_body_size 200m",
  },
  {
    what: "holding bodies back",
    fault: { buffersBodies: true },
    found: ["upload-buffering wrong"],
    advice: "proxy_request_buffering off",
  },
  {
    what: "giving up on silent calls",
    fault: { idleMs: 100 },
    found: ["long-poll wrong"],
    advice: "proxy_read_timeout",
  },
  {
    what: "cutting silent WebSockets",
    fault: { socketIdleMs: 100 },
    found: ["websocket-silence wrong"],
    advice: "WebSockets too",
  },
  {
    what: "not upgrading",
    fault: { upgrades: "plain" },
    found: ["websocket wrong"],
    advice: "Upgrade and Connection",
  },
  {
    what: "holding frames back",
    fault: { upgrades: "mute" },
    found: ["notification wrong"],
    advice: "every frame at once",
  },
  {
    what: "passing on forged addresses to a relay that trusts it",
    fault: { forwards: "whatever the client says" },
    found: ["forged-address note"],
    advice: "replace X-Forwarded-For",
  },
  {
    what: "a relay that trusts half the world",
    fault: {},
    settings: { SOUNDFERRY_TRUST_PROXY: "0.0.0.0/1" },
    found: ["forged-address note"],
    advice: "SOUNDFERRY_TRUST_PROXY to the proxy's address alone",
  },
  {
    what: "not forwarding addresses",
    fault: { forwards: "nothing" },
    found: ["address wrong"],
    advice: "set X-Forwarded-For",
  },
  {
    what: "a relay that trusts no proxy",
    fault: {},
    settings: { SOUNDFERRY_TRUST_PROXY: "", SOUNDFERRY_ALLOWED_HOSTS: "127.0.0.1" },
    found: ["address wrong"],
    advice: "SOUNDFERRY_TRUST_PROXY",
  },
  {
    what: "an older relay, which can't say where a call comes from",
    fault: { answers: { path: "/importer/me", status: 405, text: "{}" } },
    found: ["not-checked note"],
  },
  {
    what: "taking headers away",
    fault: { strips: ["x-request-id", "access-control-allow-origin"] },
    found: ["headers wrong"],
    advice: "no header taken away",
  },
  {
    what: "adding a CORS header twice",
    fault: { doubles: "access-control-allow-origin" },
    found: ["headers wrong"],
    advice: "none added twice",
  },
  {
    what: "error pages of its own",
    fault: { ownErrorPages: true },
    found: ["headers wrong", "upload-limit wrong"],
    advice: "no error pages of its own",
  },
  {
    what: "compressing downloads",
    fault: { compresses: true },
    found: ["download wrong"],
    advice: "no compression",
  },
  {
    what: "ignoring ranges",
    fault: { ignoresRange: true },
    found: ["download wrong"],
    advice: "ignores Range",
  },
  {
    what: "a redirect to https",
    fault: { redirectsTo: "https://relay.example" },
    found: ["redirect wrong", "not-checked note"],
    advice: "that address",
  },
  {
    what: "metrics for everyone",
    fault: { answers: { path: "/metrics", status: 200, text: "# HELP\nsoundferry_sockets 1\n" } },
    found: ["metrics wrong"],
    advice: "SOUNDFERRY_METRICS_PORT",
  },
  {
    what: "no /readyz",
    fault: { answers: { path: "/readyz", status: 404, text: "" } },
    found: ["ready note"],
  },
  {
    what: "a relay that isn't ready",
    fault: { answers: { path: "/readyz", status: 503, text: '{"reason":"locked","notices":[]}' } },
    found: ["ready wrong"],
    advice: "relay check",
  },
  {
    what: "a relay whose disk is nearly full",
    fault: {
      changes: { path: "/readyz", body: { status: "ready", degraded: "full", notices: ["Full."] } },
    },
    found: ["ready note"],
  },
  {
    what: "a relay that asks for each pairing",
    fault: {},
    settings: { SOUNDFERRY_PAIRING_CONSENT: "always" },
    found: [],
  },
  {
    what: "a relay that registers by key",
    fault: {},
    settings: { SOUNDFERRY_REGISTRATION: "key", SOUNDFERRY_REGISTRATION_KEY: "a-long-secret-key" },
    found: ["not-checked note"],
  },
];

test.skipIf(!hasProxyAddress).concurrent.for(someOf(FAULTS, 6))(
  "[K15] names $what, and nothing else (needs a second local address)",
  async ({ fault, settings, ...wanted }) => {
    await using relay = await RunningRelay.start({
      SOUNDFERRY_TRUST_PROXY: PROXY_ADDRESS,
      ...settings,
    });
    await using site = await startSite(relay.url, fault);
    const findings = await examineSite(site.url);
    expect(troublesIn(findings)).toEqual(wanted.found);
    const first = findings.find(({ state }) => state !== "ok");
    expect(first?.advice ?? "").toContain(wanted.advice ?? "");
    const unadvised = findings.filter(
      ({ state, advice }) => state === "wrong" && advice === undefined,
    );
    expect(unadvised).toEqual([]);
    await soon(() => leftAt(relay)).toEqual([]);
  },
);

test("[K15] with the key, a relay that registers by key is examined whole", async () => {
  const registrationKey = "a-long-secret-key";
  await using relay = await RunningRelay.start({
    SOUNDFERRY_REGISTRATION: "key",
    SOUNDFERRY_REGISTRATION_KEY: registrationKey,
  });
  expect(troublesIn(await examineSite(relay.url, { registrationKey }))).toEqual([]);
  await soon(() => leftAt(relay)).toEqual([]);
});

test("[K15] --quick says what it leaves out", async () => {
  await using relay = await RunningRelay.start();
  const findings = await examineSite(relay.url, {
    waits: { answerMs: 3000, openSeconds: 0, pings: 0 },
  });
  expect(troublesIn(findings)).toEqual(["not-checked note"]);
  await soon(() => leftAt(relay)).toEqual([]);
});
