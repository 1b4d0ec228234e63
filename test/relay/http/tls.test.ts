import { readFile } from "node:fs/promises";
import { get } from "node:https";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { REFUSED_HANDSHAKE, shakeHands } from "./shake-hands.ts";

/** A relay with its own TLS; the key of its certificate is of that kind. */
async function withKey(kind: "ec" | "rsa"): Promise<RunningRelay> {
  const [cert, key] = kind === "ec" ? ["cert.pem", "key.pem"] : ["rsa-cert.pem", "rsa-key.pem"];
  const folder = join(import.meta.dirname, "../tls");
  const relay = await RunningRelay.start({
    SOUNDFERRY_TLS_CERT: join(folder, cert),
    SOUNDFERRY_TLS_KEY: join(folder, key),
  });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

test("[K3] serves https with the certificate and key in the settings", async () => {
  const folder = join(import.meta.dirname, "../tls");
  await using relay = await RunningRelay.start({
    SOUNDFERRY_TLS_CERT: join(folder, "cert.pem"),
    SOUNDFERRY_TLS_KEY: join(folder, "key.pem"),
  });
  expect(relay.url).toMatch(/^https:/);
  const ca = await readFile(join(folder, "cert.pem"), "utf8");
  const status = await new Promise((resolve, reject) => {
    get(`${relay.url}/healthz`, { ca, agent: false }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    }).on("error", reject);
  });
  expect(status).toBe(200);
});

test.for([
  ["ec", "ECDHE-ECDSA-AES128-SHA256"],
  ["ec", "ECDHE-ECDSA-AES256-SHA384"],
  ["ec", "ECDHE-ECDSA-AES128-SHA"],
  ["rsa", "ECDHE-RSA-AES128-SHA256"],
  ["rsa", "ECDHE-RSA-AES256-SHA"],
  ["rsa", "AES128-GCM-SHA256"],
  ["rsa", "AES256-SHA256"],
  ["rsa", "AES128-SHA"],
  ["rsa", "DHE-RSA-AES128-GCM-SHA256"],
] as const)("[SEC4] own TLS (%s) refuses a client that has only %s", async ([kind, ciphers]) => {
  const relay = await withKey(kind);
  const offer = { ciphers: `${ciphers}:@SECLEVEL=0`, maxVersion: "TLSv1.2" } as const;
  expect(await shakeHands(relay, offer)).toBe(REFUSED_HANDSHAKE);
});

test.for(["TLSv1", "TLSv1.1"] as const)("[SEC4] own TLS refuses %s", async (version) => {
  const relay = await withKey("rsa");
  const offer = { minVersion: version, maxVersion: version, ciphers: "DEFAULT:@SECLEVEL=0" };
  expect(await shakeHands(relay, offer)).toMatch(/PROTOCOL_VERSION/);
});

test.for([
  ["ec", {}, "TLSv1.3 TLS_AES_128_GCM_SHA256"],
  ["rsa", {}, "TLSv1.3 TLS_AES_128_GCM_SHA256"],
  ["ec", { maxVersion: "TLSv1.2" }, "TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256"],
  ["rsa", { maxVersion: "TLSv1.2" }, "TLSv1.2 ECDHE-RSA-AES128-GCM-SHA256"],
  [
    "rsa",
    { maxVersion: "TLSv1.2", ciphers: "ECDHE-RSA-CHACHA20-POLY1305" },
    "TLSv1.2 ECDHE-RSA-CHACHA20-POLY1305",
  ],
] as const)("[SEC4] own TLS (%s) serves %j with %s", async ([kind, offer, agreed]) => {
  const relay = await withKey(kind);
  const [protocol, suite = ""] = (await shakeHands(relay, offer)).split(" ");
  const [expected, wanted = ""] = agreed.split(" ");
  // Which of the strong ones a client without a choice gets is its own order.
  expect([protocol, suite.replace(/AES_?(128|256)_GCM_SHA(256|384)/, "AES")]).toEqual([
    expected,
    wanted.replace(/AES_?(128|256)_GCM_SHA(256|384)/, "AES"),
  ]);
});
