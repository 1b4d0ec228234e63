import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { rawCall } from "./raw-call.ts";

const KEY = "4f1c0a6be2d94c3f";

test("[A1][P13] tokens, codes and keys never reach the log", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_LOG_LEVEL: "trace" });
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const claimed = await relay.call("POST", "/pair/claim", {
    headers: { "idempotency-key": KEY },
    body: { code: json.code, app_name: "Looper", app_id: "app-1" },
  });
  const token = claimed.json.app_token;
  await relay.send(token);
  await relay.call("GET", `/app/me?token=${token}&code=${json.code}`, { token });
  await relay.call("GET", `/nowhere?token=${token}`);
  await relay.call("POST", "/packages", { token, body: `{"broken ${token}` });
  const log = relay.logLines.join("");
  expect(log).toContain("/packages");
  for (const secret of [token, importer.token, json.code, KEY]) expect(log).not.toContain(secret);
  expect(log).not.toContain("?");
});

test("[A2][A3] each call of a connection has only the token that it sends, and a revoked one is unknown at once", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token: first } = await relay.paired();
  const second = await relay.pair(importer, { appId: "app-2", appName: "Chopper" });
  const { host } = new URL(relay.url);
  const call = (authorization: string, method = "GET", path = "/app/me") =>
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${authorization}`;
  const by = (token: string) => `Authorization: Bearer ${token}\r\n\r\n`;
  const answers = await rawCall(
    relay.url,
    call(by(first)),
    call(by(second)),
    call("\r\n"),
    call(by(first)),
    call(by(first), "POST", "/app/unpair"),
    call(by(first)),
    call(`Connection: close\r\n${by(second)}`),
  );
  const told = /"app_name":"(\w+)"|"code":"(\w+)"|\{\}/g;
  expect(Array.from(answers.matchAll(told), ([all, name, code]) => name ?? code ?? all)).toEqual([
    "Looper",
    "Chopper",
    "TOKEN_MISSING",
    "Looper",
    "{}",
    "TOKEN_UNKNOWN",
    "Chopper",
  ]);
});
