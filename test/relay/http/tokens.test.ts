import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";

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
