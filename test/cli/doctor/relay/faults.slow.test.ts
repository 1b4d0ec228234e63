import { expect, test } from "vitest";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { someOf } from "../../../whole-forms.ts";
import {
  examineSite,
  leftAt,
  troublesIn,
  hasProxyAddress,
  PROXY_ADDRESS,
  type SiteFault,
  startSite,
} from "./faulty-site.ts";
import { soon } from "../../../sim/soon.ts";

/** Faults: kind, doctor's finding, a part of its first advice, and settings of the relay over those of a well-kept site. */
type FaultCase = readonly [
  what: string,
  fault: SiteFault,
  found: string,
  advice: string,
  settings?: Record<string, string>,
];

const FAULTS: readonly FaultCase[] = [
  ["nothing", {}, "", ""],
  [
    "a body limit of 1 MiB",
    { maxBodyBytes: 1_048_576 },
    "upload-limit wrong",
    "client_max_body_size 200m",
  ],
  [
    "a body limit of 100 kB",
    { maxBodyBytes: 100_000 },
    "upload-limit wrong, json-limit wrong",
    "client_max_body_size 200m",
  ],
  [
    "holding bodies back",
    { buffersBodies: true },
    "upload-buffering wrong",
    "proxy_request_buffering off",
  ],
  ["giving up on silent calls", { idleMs: 100 }, "long-poll wrong", "proxy_read_timeout"],
  ["cutting silent WebSockets", { socketIdleMs: 100 }, "websocket-silence wrong", "WebSockets too"],
  ["not upgrading", { upgrades: "plain" }, "websocket wrong", "Upgrade and Connection"],
  ["holding frames back", { upgrades: "mute" }, "notification wrong", "every frame at once"],
  [
    "passing on forged addresses to a relay that trusts it",
    { forwards: "whatever the client says" },
    "forged-address note",
    "replace X-Forwarded-For",
  ],
  [
    "a relay that trusts half the world",
    {},
    "forged-address note",
    "SOUNDFERRY_TRUST_PROXY to the proxy's address alone",
    { SOUNDFERRY_TRUST_PROXY: "0.0.0.0/1" },
  ],
  ["not forwarding addresses", { forwards: "nothing" }, "address wrong", "set X-Forwarded-For"],
  [
    "a relay that trusts no proxy",
    {},
    "address wrong",
    "SOUNDFERRY_TRUST_PROXY",
    { SOUNDFERRY_TRUST_PROXY: "", SOUNDFERRY_ALLOWED_HOSTS: "127.0.0.1" },
  ],
  [
    "an older relay, which can't say where a call comes from",
    { answers: { path: "/importer/me", status: 405, text: "{}" } },
    "not-checked note",
    "",
  ],
  [
    "taking headers away",
    { strips: ["x-request-id", "access-control-allow-origin"] },
    "headers wrong",
    "no header taken away",
  ],
  [
    "adding a CORS header twice",
    { doubles: "access-control-allow-origin" },
    "headers wrong",
    "none added twice",
  ],
  [
    "error pages of its own",
    { ownErrorPages: true },
    "headers wrong, upload-limit wrong",
    "no error pages of its own",
  ],
  ["compressing downloads", { compresses: true }, "download wrong", "no compression"],
  ["ignoring ranges", { ignoresRange: true }, "download wrong", "ignores Range"],
  [
    "a redirect to https",
    { redirectsTo: "https://relay.example" },
    "redirect wrong, not-checked note",
    "that address",
  ],
  [
    "metrics for everyone",
    { answers: { path: "/metrics", status: 200, text: "# HELP\nsoundferry_sockets 1\n" } },
    "metrics wrong",
    "SOUNDFERRY_METRICS_PORT",
  ],
  ["no /readyz", { answers: { path: "/readyz", status: 404, text: "" } }, "ready note", ""],
  [
    "a relay that isn't ready",
    { answers: { path: "/readyz", status: 503, text: '{"reason":"locked","notices":[]}' } },
    "ready wrong",
    "relay check",
  ],
  [
    "a relay whose disk is nearly full",
    {
      changes: { path: "/readyz", body: { status: "ready", degraded: "full", notices: ["Full."] } },
    },
    "ready note",
    "",
  ],
  ["a relay that asks for each pairing", {}, "", "", { SOUNDFERRY_PAIRING_CONSENT: "always" }],
  [
    "a relay that registers by key",
    {},
    "not-checked note",
    "",
    { SOUNDFERRY_REGISTRATION: "key", SOUNDFERRY_REGISTRATION_KEY: "a-long-secret-key" },
  ],
];

test.skipIf(!hasProxyAddress).concurrent.for(someOf(FAULTS, 6))(
  "[K15] names %s, and nothing else (needs a second local address)",
  async ([_what, fault, found, advice, settings]) => {
    await using relay = await RunningRelay.start({
      SOUNDFERRY_TRUST_PROXY: PROXY_ADDRESS,
      ...settings,
    });
    await using site = await startSite(relay.url, fault);
    const findings = await examineSite(site.url);
    expect(troublesIn(findings).join(", ")).toBe(found);
    const first = findings.find(({ state }) => state !== "ok");
    expect(first?.advice ?? "").toContain(advice);
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
