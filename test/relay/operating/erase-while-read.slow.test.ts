import { expect, test } from "vitest";
import { Administration } from "../../../relay/operating/administer.ts";
import { openForReading } from "../../../relay/storage/sqlite/open-database.ts";
import { relayWithSounds } from "./backed-up-relay.ts";

test("[AD8] an erasure beside a program that reads the database says that its log isn't empty", async () => {
  const { relay, importer } = await relayWithSounds();
  using admin = await Administration.open(relay.folder, { who: "anna" });
  using reading = openForReading(relay.folder);
  reading.exec("BEGIN; SELECT count(*) FROM devices");
  expect((await admin.erase(importer.deviceId))?.isOverwritten).toBe(false);
  reading.exec("COMMIT");
});
