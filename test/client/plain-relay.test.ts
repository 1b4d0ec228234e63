import { expect, test } from "vitest";
import { IN_NODE } from "../../client/node/in-node.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { HttpCutter, type PassingAnswer, type PassingCall } from "../sim/http-cutter.ts";
import { smallWav } from "../wav-bytes.ts";
import { instantPace, pairedClient } from "./stand-in-relay.ts";

/** Members that the public specification knows. */
const KNOWN =
  /^(error|app_token|device_name|app_name|paired_at|package_id|upload|warnings|status|results)$/;
const SILENT = /\/(commit|unpair)$/;

/** Leaves of an answer what the public specification says: no mark, no code, no success that it doesn't describe. */
async function plainly(answer: PassingAnswer, { method, path }: PassingCall): Promise<string> {
  const text = (await answer.body.toArray()).join("");
  for (const name of Object.keys(answer.headers)) delete answer.headers[name];
  if (method === "HEAD" || method === "PATCH") answer.status = 405;
  const isSilent = method === "PUT" || method === "DELETE" || SILENT.test(path);
  if (answer.status < 300 && isSilent) return "{}";
  const members = Object.entries<unknown>(JSON.parse(text || '{"error":"No."}'));
  return JSON.stringify(Object.fromEntries(members.filter(([name]) => KNOWN.test(name))));
}

test("[W41] a relay that knows only the public specification works, and nothing is believed unproven", async () => {
  await using relay = await RunningRelay.start();
  await using line = await HttpCutter.to(relay.url, { change: plainly });
  const importer = await relay.register();
  const { json } = await relay.call("POST", "/importer/pairing-code", { token: importer.token });
  const tokenStore = new MemoryTokenStore();
  const pace = instantPace();
  const client = pairedClient(line.url, { ...IN_NODE, tokenStore, pace });
  const app = { name: "Looper", id: "app-1" };
  expect((await fetch(`${line.url}/app/me`)).headers.has(RELAY_MARK.name)).toBe(false);

  await expect(client.pair("K7M Q2X", app)).rejects.toMatchObject({ status: 404 });
  expect(await client.pair(json.code, app)).toEqual({ device_name: "Studio" });
  const long = smallWav({ frames: 540_000 });
  const sounds = [{ source: long }, { source: smallWav() }];
  const { packageId } = await client.send({ sounds });
  const token = (await tokenStore.load()) ?? "";
  expect((await relay.status(token, packageId)).status).toBe("waiting");
  await client.withdraw(packageId);
  await expect(client.status(packageId)).rejects.toMatchObject({ status: 404 });

  const swallowed = { status: 200, body: "{}" };
  let left = 2;
  line.fault = ({ method }) => (method === "PUT" && (left -= 1) >= 0 ? swallowed : undefined);
  const again = await client.send({ sounds });
  expect((await relay.status(token, again.packageId)).status).toBe("waiting");

  line.fault = ({ method }) => (method === "GET" ? undefined : swallowed);
  await expect(client.withdraw(again.packageId)).rejects.toMatchObject({ code: "FOREIGN_ANSWER" });
  await expect(client.unpair()).rejects.toMatchObject({ code: "FOREIGN_ANSWER" });
  expect(await tokenStore.load()).toBe(token);

  line.fault = () => undefined;
  await client.unpair();
  expect(await tokenStore.load()).toBeUndefined();
  expect((await relay.call("GET", "/app/me", { token })).status).toBe(401);
  expect(pace.waits).toEqual([]);
});
