import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { handOn, relayWithSounds } from "./backed-up-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

test("[AD8] after an erasure no byte of the database and its log has what was stored about the device", async () => {
  const { relay, importer, token, packages } = await relayWithSounds();
  const call = (method: string, path: string, bearer: string, body?: object) =>
    relay.call(method, path, { token: bearer, ...(body && { body }) });
  await call("PATCH", "/importer/me", importer.token, { device_name: "Renamed Zebra" });
  const gone = await relay.pair(importer, { appId: "gone-quokka", appName: "Gone Quokka" });
  await call("POST", "/packages", gone, manifestOf(["narwhal.wav"], { title: "Wombat" }));
  await call("POST", "/app/unpair", gone);
  await call("DELETE", `/packages/${packages[1]}`, token);
  await call("PATCH", "/importer/me", importer.token, { device_name: "Studio Axolotl" });

  const admin = await handOn(relay.folder);
  await admin.erase(importer.deviceId);
  const files = await Promise.all(
    ["relay.sqlite", "relay.sqlite-wal"].map((name) => readFile(join(relay.folder, name))),
  );
  const left = [
    "Zebra",
    "Quokka",
    "gone-quokka",
    "Wombat",
    "narwhal",
    "Axolotl",
    ...packages,
  ].filter((text) => files.some((bytes) => bytes.includes(text)));
  expect(left).toEqual([]);
  // The relay writes to the emptied log.
  const other = await relay.paired();
  expect((await relay.call("GET", "/app/me", other)).status).toBe(200);
});
