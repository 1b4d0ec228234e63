import { expect, test } from "vitest";
import { openForReading } from "../../../relay/storage/sqlite/open-database.ts";
import { handOn, relayWithSounds } from "./backed-up-relay.ts";

test("[AD8] an erasure beside a program that reads the database says that its log isn't empty", async () => {
  const { relay, importer } = await relayWithSounds();
  const admin = await handOn(relay.folder);
  using reading = openForReading(relay.folder);
  reading.exec("BEGIN; SELECT count(*) FROM devices");
  expect((await admin.erase(importer.deviceId))?.isOverwritten).toBe(false);
  reading.exec("COMMIT");
});
