import { expect } from "vitest";
import type { Records } from "../../../../relay/domain/ports.ts";
import {
  addFile,
  hold,
  HOUR,
  insert,
  MINUTE,
  packageOf,
  roomFor,
  T0,
  uploaded,
} from "../../../contracts/relay/records/sample-records.ts";

type Written = Pick<Records, "packages" | "soundKeys">;

/** Announces and uploads packages of `device-1`, with every refusal, lapse and count that this may need. */
export async function announceAndUpload(records: Written): Promise<void> {
  const record = packageOf("pkg_1");
  const idempotency = { key: "key", bodyHash: "hash", answer: "{}", endsAt: T0 + MINUTE };
  await insert(records, record, { idempotency });
  const room = roomFor("192.0.2.2", T0 + MINUTE);
  expect(await hold(records, "pkg_1", { room, quotas: { roomBytes: 1000 } })).toEqual({
    kind: "held",
  });
  for (const key of uploaded(record).uploaded.values()) {
    await records.soundKeys.addPending(key, T0 + MINUTE);
  }
  const received = { address: "192.0.2.1", bytes: 100, at: T0 };
  expect(await addFile(records, record, "pkg_1/snd_1", { received })).toMatchObject({
    kind: "added",
  });

  await insert(records, packageOf("pkg_2"));
  const refused = async (quotas: Parameters<typeof insert>[2], kind: string) =>
    expect(await insert(records, packageOf("pkg_3"), quotas)).toMatchObject({ kind });
  await refused({ quotas: { bytesPerAddressPerDay: 150 } }, "address-limit");
  await refused({ quotas: { unfilledPerApp: 150 } }, "uploads-unfinished");
  await refused({ quotas: { unfilledPerAddress: 150 } }, "uploads-unfinished");
  await refused({ quotas: { roomBytes: 150 } }, "uploads-unfinished");
  const later = T0 + 2 * HOUR;
  // The room of the others has lapsed, and their files have ended.
  const last = packageOf("pkg_4", { createdAt: later });
  expect(await insert(records, last, { quotas: { unfilledPerApp: 150 } })).toEqual({
    kind: "inserted",
  });
}

/** Reads the status of a package, and the first page of both lists. */
export async function readStatusAndLists({ packages }: Pick<Records, "packages">): Promise<void> {
  const page = { after: undefined, limit: 10 };
  await packages.find("pkg_1");
  const first = await packages.list({ deviceId: "device-1", now: T0 }, page);
  await packages.list({ deviceId: "device-1", now: T0 }, { ...page, after: first?.[0]?.cursor });
  await packages.list({ deviceId: "device-1", appId: "app-1" }, page);
}
