import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, RunningRelay } from "../../running-relay.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { fillUp } from "./small-disk.ts";

// Runs a relay on a disk of a few MiB (the first argument). With "fill" it sends a large package and stops. The
// package's time ends, as the database knows, and the disk fills up, where the ballast was too. With "heal" it
// starts again on that disk, and prints as one JSON value what it can do.

const [, , folder = "", phase] = process.argv;
const notes = join(folder, "notes.json");
const settings = { SOUNDFERRY_DATA: join(folder, "data"), SOUNDFERRY_BALLAST_BYTES: "0" };
if (phase === "fill") {
  const relay = await RunningRelay.start(settings);
  const { token } = await relay.paired();
  const large = smallWav({ frames: 2_000_000 });
  const items = [describe("large.wav", large)];
  const { package_id: id, upload } = await relay.announce(token, { schema: "app2host/1", items });
  await relay.call("PUT", upload["large.wav"] ?? "", { token, body: large });
  await relay.call("POST", `/packages/${id}/commit`, { token });
  await relay.stop();
  writeFileSync(notes, JSON.stringify({ token, id }));
  {
    using database = new DatabaseSync(join(settings.SOUNDFERRY_DATA, "relay.sqlite"));
    const keep = "INSERT OR REPLACE INTO upkeep (name, value) VALUES ('time', ?)";
    database.prepare(keep).run(String(Date.now() + 2 * 86_400_000));
  }
  rmSync(join(settings.SOUNDFERRY_DATA, "relay.lock"), { force: true });
  await fillUp(join(folder, "filler"));
} else {
  const { token, id } = JSON.parse(readFileSync(notes, "utf8"));
  const relay = await RunningRelay.start(settings, { hasOwnClock: true });
  await relay.sweep();
  const { status } = await relay.status(token, id);
  const sent = await relay.status(token, await relay.send(token));
  await relay.stop();
  process.stdout.write(JSON.stringify({ status, send: sent.status }));
}
