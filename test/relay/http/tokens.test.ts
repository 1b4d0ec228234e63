import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";

test("[A1] tokens and codes never reach the log", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_LOG_LEVEL: "trace" });
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const claimed = await relay.call("POST", "/pair/claim", {
    body: { code: json.code, app_name: "Looper", app_id: "app-1" },
  });
  const token = claimed.json.app_token;
  await relay.send(token);
  await relay.call("GET", `/app/me?token=${token}&code=${json.code}`, { token });
  await relay.call("GET", `/nowhere?token=${token}`);
  await relay.call("POST", "/packages", { token, body: `{"broken ${token}` });
  const log = relay.logLines.join("");
  expect(log).toContain("/packages");
  for (const secret of [token, importer.token, json.code]) expect(log).not.toContain(secret);
  expect(log).not.toContain("?");
});

test("[A2][E3] anything but a valid token of the right kind is 401, and none has a code of its own", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const wrongHeaders: Record<string, string>[] = [
    {},
    { authorization: "" },
    { authorization: "Bearer" },
    { authorization: "Bearer " },
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token}x` },
    { authorization: `Bearer sfa_${"A".repeat(43)}` },
    { authorization: `Bearer ${importer.token}` },
    { cookie: `token=${token}` },
  ];
  for (const headers of wrongHeaders) {
    for (const path of ["/app/me", `/app/me?access_token=${token}`]) {
      const answer = await relay.call("GET", path, { headers });
      const code = "authorization" in headers ? "TOKEN_UNKNOWN" : "TOKEN_MISSING";
      expect([answer.status, answer.json.code], JSON.stringify(headers)).toEqual([401, code]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(answer.json.error.length).toBeLessThanOrEqual(80);
    }
  }
  for (const scheme of ["Bearer", "bearer", "BEARER"]) {
    const headers = { authorization: `${scheme} ${token}` };
    expect((await relay.call("GET", "/app/me", { headers })).status).toBe(200);
  }
  const ofImporter = await relay.call("GET", "/importer/apps", { token });
  expect([ofImporter.status, ofImporter.json.code]).toEqual([401, "IMPORTER_UNKNOWN"]);
  expect((await relay.call("GET", "/importer/apps")).json.code).toBe("TOKEN_MISSING");
});

test("[A4] me, unpair and withdraw answer as documented", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const me = await relay.call("GET", "/app/me", { token });
  expect(me.json).toEqual({
    device_name: "Studio",
    app_name: "Looper",
    paired_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    room: expect.objectContaining({ package_bytes_max: 209_715_200 }),
  });
  const packageId = await relay.send(token);
  const taken = await relay.call("DELETE", `/packages/${packageId}`, { token });
  expect([taken.status, taken.json]).toEqual([200, {}]);
  const unpaired = await relay.call("POST", "/app/unpair", { token });
  expect([unpaired.status, unpaired.json]).toEqual([200, {}]);
});
