import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import type * as tls from "node:tls";
import { expect, test, vi } from "vitest";
import { isPublicCertificate } from "../../../relay/http/own-tls.ts";
import { RunningRelay } from "../running-relay.ts";

// Nobody can have a certificate of a public authority for a test: here, Node's own roots are the tests' one.
vi.mock("node:tls", async (original) => {
  const { readFileSync: read } = await import("node:fs");
  const root = read(new URL("../tls/root.pem", import.meta.url), "utf8");
  return { ...(await original<typeof tls>()), rootCertificates: [root] };
});

const FOLDER = join(import.meta.dirname, "../tls");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const key = read("key.pem");
const YEAR = "max-age=31536000";

/** The header of answers to these calls. */
async function headersOf(certificate: string, paths: readonly [method: string, path: string][]) {
  await using relay = await RunningRelay.start({
    SOUNDFERRY_TLS_CERT: join(FOLDER, certificate),
    SOUNDFERRY_TLS_KEY: join(FOLDER, "key.pem"),
  });
  const answers = paths.map(
    ([method, path]) =>
      new Promise((resolve, reject) => {
        request(
          `${relay.url}${path}`,
          { method, rejectUnauthorized: false, agent: false },
          (answer) => {
            answer
              .resume()
              .on("end", () => resolve(answer.headers["strict-transport-security"] ?? "none"));
          },
        )
          .on("error", reject)
          .end();
      }),
  );
  return await Promise.all(answers);
}

test("[SEC5] a relay with a public certificate asks browsers for https for a year, of its own name alone", async () => {
  const calls: [string, string][] = [
    ["GET", "/healthz"],
    ["GET", "/openapi.json"],
    ["GET", "/nothing"],
    ["GET", "/app/me"],
    ["OPTIONS", "/packages"],
    ["PUT", "/packages"],
  ];
  expect(await headersOf("chain-public.pem", calls)).toEqual(calls.map(() => YEAR));
});

test.each([
  ["without an authority", "cert.pem"],
  ["without an authority, for a public name", "other-host.pem"],
  ["of a public authority for an address", "chain-address.pem"],
  ["for a name that only a private network knows", "chain-internal.pem"],
])("[SEC5] a certificate %s is no reason to ask for it", async (_what, certificate) => {
  expect(await headersOf(certificate, [["GET", "/healthz"]])).toEqual(["none"]);
});

test("[SEC5] a chain counts only if each certificate has signed the one before, up to a root", () => {
  const chain = read("chain-public.pem");
  const [own = "", intermediate = ""] = chain.split(/(?<=-----END CERTIFICATE-----\n)/);
  const isPublic = (...parts: readonly string[]) =>
    isPublicCertificate({ cert: parts.join(""), key });
  expect(isPublic(own, intermediate)).toBe(true);
  expect(isPublic(own, intermediate, read("root.pem"))).toBe(true);
  expect(isPublic(`Bag Attributes\n${own}`, `\r\n${intermediate}`)).toBe(true);
  expect(isPublic(own)).toBe(false);
  expect(isPublic(intermediate)).toBe(false);
  expect(isPublic(own, read("other-host.pem"))).toBe(false);
  expect(isPublic("")).toBe(false);
});
