import type { Attack, Outcome, Stage } from "../attack.ts";
import { countOf, httpCall, inParallel } from "../http-call.ts";
import { RawConnections, requestHead } from "../raw-connections.ts";
import { register } from "../strangers.ts";

const NAMES = [
  "evil.example",
  "evil.example:4700",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
];
const CALLS = [
  { method: "GET", path: "/importer/hello" },
  { method: "POST", path: "/importer/register" },
  { method: "POST", path: "/pair/claim" },
  { method: "OPTIONS", path: "/packages" },
  { method: "GET", path: "/docs" },
  { method: "GET", path: "/no/such/path" },
];

/** A9: what a web page reaches whose name was pointed to this computer (DNS rebinding). */
export const foreignHosts: Attack = {
  name: "A9",
  isLocal: true,
  title: "calls under another host's name (DNS rebinding)",
  promise:
    "A relay on the loopback refuses every call, socket and metrics request under another host's name with 421.",
  run: callAsOthers,
};

async function callAsOthers(stage: Stage): Promise<Outcome> {
  await using relay = await stage.openRelay({
    isBehindProxy: false,
    settings: { SOUNDFERRY_METRICS_PORT: "0" },
  });
  const metricsUrl = relay.metricsUrl;
  if (metricsUrl === undefined) throw new Error("The relay has no metrics listener.");
  const answers = await inParallel(NAMES.length * CALLS.length, 4, (index) => {
    const host = NAMES[index % NAMES.length] as string;
    const { method, path } = CALLS[Math.floor(index / NAMES.length)] as (typeof CALLS)[number];
    return httpCall(relay, { method, path, headers: { host } });
  });
  const metrics = await inParallel(NAMES.length, 4, (index) =>
    httpCall({ url: metricsUrl }, { path: "", headers: { host: NAMES[index] as string } }),
  );
  const { importerToken } = await register(relay);
  using upgrades = new RawConnections(relay);
  const upgraded = await inParallel(NAMES.length, 4, async (index) => {
    const head = requestHead("GET /importer/socket", {
      Host: NAMES[index],
      Authorization: `Bearer ${importerToken}`,
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": 13,
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    });
    return (await upgrades.open(head)).read();
  });
  while (upgraded.some(({ isOpen, status }) => isOpen && status === 0)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const refused = [...answers, ...metrics, ...upgraded].filter(
    ({ status }) => status === 421,
  ).length;
  const offered = answers.length + metrics.length + upgraded.length;
  const own = await httpCall(relay, { path: "/importer/hello" });
  return {
    what: "calls as another host",
    offered,
    leastOffered: (CALLS.length + 2) * NAMES.length,
    accepted: offered - refused,
    measures: [
      { name: "answered under another name", value: offered - refused, unit: "calls", atMost: 0 },
      {
        name: "calls under the relay's own name",
        value: countOf([own], 200),
        unit: "calls",
        atLeast: 1,
      },
    ],
  };
}
