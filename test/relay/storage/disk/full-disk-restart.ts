import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, RunningRelay } from "../../running-relay.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { fillUp } from "./small-disk.ts";

// Runs a relay on a disk of a few MiB (the first argument). With "fill" it sends a large package, leaves no byte
// of the disk free, the ballast's neither, and is killed. With "heal" it starts again on that disk, and prints
// as one JSON value whether it was ready, and whether it can send after the package expired.

const [, , folder = "", phase] = process.argv;
const notes = join(folder, "notes.json");
const settings = {
  SOUNDFERRY_DATA: join(folder, "data"),
  SOUNDFERRY_BALLAST_BYTES: String(1024 ** 2),
};
const relay = await RunningRelay.start(settings);
if (phase === "fill") {
  const { importer, token } = await relay.paired();
  const large = smallWav({ frames: 2_000_000 });
  const items = [describe("large.wav", large)];
  const { package_id: id, upload } = await relay.announce(token, { schema: "app2host/1", items });
  await relay.call("PUT", upload["large.wav"] ?? "", { token, body: large });
  await relay.call("POST", `/packages/${id}/commit`, { token });
  writeFileSync(notes, JSON.stringify({ token, id }));
  // As an upload leaves it that ends when nothing can be saved.
  await relay.relay.context.soundKeys.addPending(`${id}/snd_pending`, Date.now() + 3_600_000);
  const rename = () =>
    relay.call("PATCH", "/importer/me", { token: importer.token, body: { device_name: "x" } });
  await fillUp(join(folder, "filler"));
  while (!(await relay.call("GET", "/readyz")).text.includes("degraded")) await rename();
  await fillUp(join(folder, "filler-2"));
  while ((await rename()).status === 200);
  process.kill(process.pid, "SIGKILL");
}
const { token, id } = JSON.parse(readFileSync(notes, "utf8"));
const { status, json } = await relay.call("GET", "/readyz");
relay.clock.pass(86_400);
await relay.sweep();
const healed = {
  status: (await relay.status(token, id)).status,
  send: (await relay.status(token, await relay.send(token))).status,
};
await relay.stop();
process.stdout.write(JSON.stringify({ ready: { status, json }, healed }));
