import { get } from "node:https";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lanNamesOf } from "../../../../relay/http/host-guard.ts";
import { fetchAnswer } from "../../../sim/world.ts";
import { RunningRelay } from "../../running-relay.ts";
import { rawCall } from "../raw-call.ts";
import { HOME, relayInLan } from "./lan-relay.ts";

/** A whole answer without what differs from call to call. */
async function answerTo(url: string, lines: string): Promise<string> {
  const answer = await rawCall(url, `${lines}\r\nConnection: close\r\n\r\n`);
  return answer.replace(/^(?:x-request-id|date): .*\r\n/gim, "");
}

const UPGRADE =
  "Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==";

const CLOSED = [
  "/importer/hello",
  "/importer/register",
  "/importer/packages",
  "/importer",
  "/receive",
  "/receive/",
  "/receive?x",
  "/receive/app.js",
  "/receive-0.1.0/worker.js",
  "/panel",
  "/control/state",
  "/metrics",
  "//importer//hello",
  "/%69mporter/hello",
  "/Importer/hello",
  "/%2Fimporter/hello",
  "/importer%2Fhello",
  "/\\importer\\hello",
  "/./importer/hello",
  "/importer;x/hello",
  "/importer/hello#x",
  "http://localhost/importer/hello",
  `http://${HOME}//%52eceive`,
];

test("[LAN3] what is only for this computer answers there as an unknown address does, in every spelling", async () => {
  const { relay, url } = await relayInLan();
  const { token } = await relay.register();
  const host = `Host: ${HOME}\r\nAuthorization: Bearer ${token}`;
  const own = await rawCall(
    relay.url,
    `GET /importer/me HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`,
  );
  expect(own).toMatch(/^HTTP\/1.1 200/);
  for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
    const unknown = await answerTo(url, `${method} /unknown HTTP/1.1\r\n${host}`);
    for (const target of CLOSED) {
      const closed = await answerTo(url, `${method} ${target} HTTP/1.1\r\n${host}`);
      expect(closed, `${method} ${target}`).toBe(unknown);
    }
  }
});

test("[LAN3] no importer's socket opens there, with a token and by any spelling", async () => {
  const { relay, url } = await relayInLan();
  const { token } = await relay.register();
  const head = `Host: ${HOME}\r\nAuthorization: Bearer ${token}\r\n${UPGRADE}`;
  for (const target of ["/importer/socket", "//importer/socket", "/%69mporter/socket"]) {
    const answer = await rawCall(url, `GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`);
    expect(answer, target).toMatch(/^HTTP\/1.1 404 [^]*PATH_UNKNOWN/);
  }
});

test("[LAN3] the same holds over the relay's own TLS", async () => {
  const folder = join(import.meta.dirname, "../../tls");
  const { url } = await relayInLan({
    SOUNDFERRY_TLS_CERT: join(folder, "cert.pem"),
    SOUNDFERRY_TLS_KEY: join(folder, "key.pem"),
  });
  expect(url).toMatch(/^https:/);
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      const options = { rejectUnauthorized: false, agent: false, headers: { host: HOME } };
      get(url + path, options, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode));
      }).on("error", reject);
    });
  expect(await statusOf("/docs")).toBe(200);
  expect(await statusOf("/importer/hello")).toBe(404);
});

test("[LAN3] the apps' API, the page's health and the contract are open there", async () => {
  const { relay, url } = await relayInLan();
  const { token } = await relay.paired();
  for (const path of ["/app/me", "/packages", "/healthz", "/readyz", "/openapi.json", "/docs"]) {
    const { status } = await fetchAnswer(url + path, { method: "GET", token });
    expect(status, path).toBe(200);
  }
});

test("[LAN3] nothing is closed where an operator chose the address", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_HOST: HOME });
  expect((await relay.call("GET", "/importer/hello")).status).toBe(200);
});

test("[LAN4] the computer's names are its host name, with and without what a network added, and that with .local", () => {
  const own = ["studio", "studio.local"];
  expect(lanNamesOf("Studio")).toEqual(["studio", ...own]);
  expect(lanNamesOf("Studio.local")).toEqual(["studio.local", ...own]);
  expect(lanNamesOf("studio.fritz.box")).toEqual(["studio.fritz.box", ...own]);
});

test("[LAN4] only the address itself and the computer's names are known there, whatever proxies are trusted", async () => {
  const [name = ""] = hostname().toLowerCase().split(".");
  const { url } = await relayInLan({ SOUNDFERRY_TRUST_PROXY: "127.0.0.0/8" });
  const { port } = new URL(url);
  const statusAs = async (host: string, target = "/docs") =>
    (await answerTo(url, `GET ${target} HTTP/1.1\r\nHost: ${host}`)).slice(9, 12);
  for (const host of [
    `${HOME}:${port}`,
    name,
    `${name}.local:${port}`,
    `${name.toUpperCase()}.LOCAL`,
  ]) {
    expect(await statusAs(host), host).toBe("200");
  }
  for (const host of [
    "evil.example",
    `${HOME}.evil.example`,
    `evil.${name}.local`,
    "192.168.1.20",
    "",
  ]) {
    expect(await statusAs(host), host).toBe("421");
    expect(await statusAs(host, "/importer/hello"), host).toBe("421");
  }
  expect(await statusAs(HOME, "http://evil.example/docs")).toBe("421");
});
