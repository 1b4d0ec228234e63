import { expect, test } from "vitest";
import { type CallAnswer, RunningRelay } from "../running-relay.ts";
import { smallWav } from "../../wav-bytes.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

const FROM = { "x-forwarded-for": "203.0.113.9" };

async function lineOf(
  relay: RunningRelay,
  { headers }: CallAnswer,
): Promise<Record<string, unknown>> {
  const id = headers.get("x-request-id") ?? "none";
  const find = () => relay.logLines.find((line) => line.includes(`"${id}"`));
  await soon(find).toBeDefined();
  return JSON.parse(find() ?? "{}");
}

test("[AD10] a change is logged with the ids of device, app and package, and without the names of files", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_TRUST_PROXY: "127.0.0.1" });
  const registered = await relay.call("POST", "/importer/register", { headers: FROM });
  const importer = { deviceId: registered.json.device_id, token: registered.json.importer_token };
  expect(await lineOf(relay, registered)).toMatchObject({
    device: importer.deviceId,
    address: "203.0.113.0/24",
  });
  const { json } = await relay.call("POST", "/importer/pairing-code", importer);
  const body = { code: json.code, app_name: "Secret name", app_id: "looper-1" };
  const claimed = await relay.call("POST", "/pair/claim", { body });
  const { app: pairing, device } = await lineOf(relay, claimed);
  expect(device).toBe(importer.deviceId);
  expect(pairing).toMatch(/^pair_/);

  const token = claimed.json.app_token;
  const file = "My secret name.wav";
  const announced = await relay.call("POST", "/packages", { token, body: manifestOf([file]) });
  const id = announced.json.package_id;
  const who = { device: importer.deviceId, app: pairing, package: id };
  expect(await lineOf(relay, announced)).toMatchObject(who);
  const put = await relay.call("PUT", announced.json.upload[file], { token, body: smallWav() });
  expect(await lineOf(relay, put)).toMatchObject({ ...who, path: `/packages/${id}/files/*` });
  const lost = await relay.call("GET", `/importer/packages/${id}/files/My%20secret.wav`, importer);
  expect(await lineOf(relay, lost)).toMatchObject({
    device: importer.deviceId,
    package: id,
    status: 404,
    path: `/importer/packages/${id}/files/*`,
  });
  const log = relay.logLines.join("");
  expect(log).not.toMatch(/secret/i);
  for (const secret of [token, importer.token, json.code]) expect(log).not.toContain(secret);
});

test("[AD10] what an importer changes is logged with the app that it is about", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const [app] = (await relay.call("GET", "/importer/apps", importer)).json.apps;
  const body = { results: { "1": { status: "imported" } } };
  const take = await relay.call("POST", `/importer/packages/${id}/take`, importer);
  const report = await relay.call("POST", `/importer/packages/${id}/results`, {
    ...importer,
    body,
  });
  const unpaired = await relay.call("DELETE", `/importer/apps/${app.pairing_id}`, importer);
  const who = { device: importer.deviceId, app: app.pairing_id };
  for (const answer of [take, report]) {
    expect(await lineOf(relay, answer)).toMatchObject({ ...who, package: id, status: 200 });
  }
  expect(await lineOf(relay, unpaired)).toMatchObject({ ...who, status: 200 });
  const gone = await relay.call("POST", `/importer/packages/${id}/results`, { ...importer, body });
  expect(await lineOf(relay, gone)).not.toHaveProperty("app");
});

test.each([
  ["full", "203.0.113.9"],
  ["truncated", "203.0.113.0/24"],
  ["off", undefined],
])("[AD10] SOUNDFERRY_LOG_ADDRESSES=%s logs the address as %s", async (setting, expected) => {
  await using relay = await RunningRelay.start({
    SOUNDFERRY_TRUST_PROXY: "127.0.0.1",
    SOUNDFERRY_LOG_ADDRESSES: setting,
  });
  const answer = await relay.call("GET", "/nowhere", { headers: FROM });
  expect((await lineOf(relay, answer))["address"]).toBe(expected);
  if (setting !== "full") expect(relay.logLines.join("")).not.toContain("203.0.113.9");
});
