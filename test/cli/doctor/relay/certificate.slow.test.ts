import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type Server } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkCertificate, checkPlainHttp } from "../../../../cli/doctor/relay/check-https.ts";
import type { Visit } from "../../../../cli/doctor/relay/visit.ts";
import { RunningRelay } from "../../../relay/running-relay.ts";
import { soon } from "../../../sim/soon.ts";
import { makeMachine } from "../../run-soundferry.ts";
import { BRIEF, examineSite, leftAt, troublesIn } from "./faulty-site.ts";

const FOLDER = join(import.meta.dirname, "../../../relay/tls");
const pem = (name: string) => readFileSync(join(FOLDER, `${name}.pem`), "utf8");
const TLS = {
  SOUNDFERRY_TLS_CERT: join(FOLDER, "cert.pem"),
  SOUNDFERRY_TLS_KEY: join(FOLDER, "key.pem"),
};
const DAY_MS = 24 * 3600 * 1000;
/** The end of `cert.pem`. */
const ENDS = Date.parse("2126-10-28T14:52:05Z");
const NOW = ENDS - 1000 * DAY_MS;

/** Certificates: kind, file, state, doctor's words, and the time of its look. */
type CertificateCase = readonly [
  what: string,
  certificate: string,
  state: string,
  says: string,
  now?: number,
];

const SELF_SIGNED = "a self-signed one";
const CASES: readonly CertificateCase[] = [
  ["a good one", "cert", "ok", "valid for localhost"],
  [
    "one that expires within two weeks",
    "cert",
    "note",
    "expires on 2126-10-28",
    ENDS - 13 * DAY_MS,
  ],
  ["one that expires after two weeks", "cert", "ok", "until 2126-10-28", ENDS - 15 * DAY_MS],
  ["an expired one", "expired", "wrong", "expired on 2020-02-01"],
  ["one of the future", "cert", "wrong", "valid only from 2026", 0],
  ["one for another host", "other-host", "wrong", "not for localhost, but for DNS:relay.example"],
  [SELF_SIGNED, "cert", "wrong", "isn't trusted (DEPTH_ZERO_SELF_SIGNED_CERT)"],
];

test.for(CASES)(
  "[K15] judges a relay's certificate: %s",
  async ([what, certificate, state, says, now = NOW]) => {
    const server = createServer({ cert: pem(certificate), key: pem("key") });
    const port = await listen(server);
    const found = await checkCertificate(visitTo(`https://localhost:${port}`), {
      now,
      // An empty list would be Node's own.
      ca: pem(what === SELF_SIGNED ? "other-host" : certificate),
    });
    expect(found).toEqual([
      expect.objectContaining({
        check: "certificate",
        state,
        sentence: expect.stringContaining(says),
      }),
    ]);
    expect(found[0]?.advice === undefined).toBe(state === "ok");
  },
);

test("[K15] a certificate that isn't trusted ends the examination, and nothing is registered", async () => {
  await using relay = await RunningRelay.start(TLS);
  const url = relay.url.replace("127.0.0.1", "localhost");
  expect(troublesIn(await examineSite(url))).toEqual(["certificate wrong", "not-checked note"]);
  await soon(() => leftAt(relay)).toEqual([]);
});

test("[K15][K1] examines a relay over https", async () => {
  await using relay = await RunningRelay.start(TLS);
  await using machine = await makeMachine();
  const words = ["doctor", "--json", "--quick", "--relay", relay.url];
  const { status, stdout, stderr } = await machine.run(words, {
    NODE_EXTRA_CA_CERTS: TLS.SOUNDFERRY_TLS_CERT,
  });
  expect(stderr).toBe("");
  const { ok, findings } = JSON.parse(stdout);
  expect([troublesIn(findings), ok, status]).toEqual([["not-checked note"], true, 0]);
  await soon(() => leftAt(relay)).toEqual([]);
});

test("[K15] http on a public name is wrong, and no token goes there", async () => {
  // A way to this computer that isn't one of its names.
  await using relay = await RunningRelay.start({ SOUNDFERRY_ALLOWED_HOSTS: "0.0.0.0" });
  const found = await examineSite(relay.url.replace("127.0.0.1", "0.0.0.0"));
  expect(troublesIn(found)).toEqual(["certificate wrong", "not-checked note"]);
  await soon(() => leftAt(relay)).toEqual([]);
});

test("[K15] a relay with https that also answers without it is wrong, and a redirect is fine", async () => {
  await using relay = await RunningRelay.start();
  const visit = visitTo("https://relay.example");
  expect(troublesIn(await checkPlainHttp(visit, relay.url))).toEqual(["plain-http wrong"]);
  const redirecting = createPlainServer((_, answer) =>
    answer.writeHead(301, { location: "https://relay.example" }).end(),
  );
  const port = await listen(redirecting);
  for (const plainUrl of [`http://127.0.0.1:${port}`, "http://127.0.0.1:9"]) {
    const found = await checkPlainHttp(visit, plainUrl);
    expect(found.map(({ state }) => state)).toEqual(["ok"]);
  }
  expect(await checkPlainHttp(visitTo("https://localhost:4700"))).toEqual([]);
});

function visitTo(url: string): Pick<Visit, "url" | "waits" | "signal"> {
  return { url, waits: BRIEF, signal: new AbortController().signal };
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
