import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { announced, pairedApp, upload, openUseCases } from "../use-cases.ts";
import { manifestOf } from "../../../manifest-of.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { openAppend } from "./open-append.ts";

const MINUTE = 60_000;
const BYTES = smallWav().byteLength;

/** Lists the rows of received bytes, by address and time. */
function rowsOf({ database }: { readonly database: DatabaseSync }) {
  const rows = database.prepare("SELECT address, at, bytes, total FROM received ORDER BY 1, 2");
  return rows.all();
}

test("[L14] the parts that an address sends in a minute are one row, dated at the minute's end", async () => {
  await using relay = await openAppend();
  const { cases } = relay;
  const start = Math.floor(cases.clock.time / MINUTE) * MINUTE + MINUTE;
  cases.clock.time = start + 1;
  for (let part = 0; part < 9; part += 1) {
    await relay.append(part * 100, part * 100 + 100);
    cases.clock.time += 6000;
  }
  const address = "192.0.2.1";
  const first = { address, at: start + MINUTE, bytes: 900, total: 900 };
  expect(rowsOf(cases)).toEqual([first]);
  cases.clock.time = start + MINUTE + 1;
  await relay.append(900);
  const second = { address, at: start + 2 * MINUTE, bytes: 100, total: 1000 };
  expect(rowsOf(cases)).toEqual([first, second]);
});

test("[L14] a small sound that several apps send again and again is a row of each address, with its sum", async () => {
  await using cases = await openUseCases();
  const apps = [];
  for (const name of ["one", "two"]) {
    const app = await pairedApp(cases, name);
    const { package_id: id } = await announced(cases, app, manifestOf(["kick.wav"]));
    apps.push({ app, id });
  }
  for (let time = 0; time < 20; time += 1) {
    for (const { app, id } of apps) {
      for (const last of [1, 2]) await upload(cases, app, id, { address: `192.0.2.${last}` });
    }
  }
  const sums = rowsOf(cases).map(({ address, bytes, total }) => [address, bytes, total]);
  expect(sums).toEqual([
    ["192.0.2.1", 40 * BYTES, 40 * BYTES],
    ["192.0.2.2", 40 * BYTES, 40 * BYTES],
  ]);
});

test("[L14] an app sends from 16 addresses in a minute; a further one waits, a known one doesn't", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const { package_id: id } = await announced(cases, app);
  const from = (last: number) => upload(cases, app, id, { address: `192.0.2.${last}` });
  for (let last = 1; last <= 16; last += 1) await from(last);
  const refused = { code: "TOO_MUCH_AT_ONCE", extras: { retryAfterSeconds: 60 } };
  await expect(from(17)).rejects.toMatchObject(refused);
  await from(16);
  expect(rowsOf(cases)).toHaveLength(16);
  cases.clock.time += MINUTE;
  await from(17);
});

test("[L4] what came counts for a day at least, and for a minute longer at most", async () => {
  await using cases = await openUseCases({ bytesPerAddressPerDay: BYTES });
  const app = await pairedApp(cases);
  cases.clock.time = Math.ceil(cases.clock.time / MINUTE) * MINUTE + 1;
  const { package_id: id } = await announced(cases, app);
  await upload(cases, app, id);
  const again = () => announced(cases, app);
  cases.clock.time += 24 * 60 * MINUTE;
  await expect(again()).rejects.toMatchObject({ code: "ADDRESS_BYTES_TOO_MANY" });
  cases.clock.time += MINUTE - 1;
  await again();
});
