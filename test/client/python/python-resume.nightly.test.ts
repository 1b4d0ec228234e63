import { expect, test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { Cutter } from "../../sim/cutter.ts";
import { smallWav } from "../../wav-bytes.ts";
import { commandOf, packageIn } from "./command-of.ts";

const FRAMES = 32_000_000;
const CUTS = 20;

test("[W53] an upload that is cut 20 times arrives, with hardly more bytes than the file has", async () => {
  await using relay = await RunningRelay.start();
  await using line = await Cutter.to(relay.url);
  const app = await commandOf(relay, line.url);
  await app.run("pair", app.code);
  const wav = smallWav({ frames: FRAMES });
  const file = await app.write("long.wav", wav);
  line.play({ at: { bytes: wav.length / (CUTS + 1) }, does: "reset", times: CUTS });
  line.upBytes = 0;
  const sent = await app.run("send", file, "--no-follow", "--json");
  expect(sent).toMatchObject({ status: 0 });
  expect(JSON.parse(sent.stdout)).toMatchObject({ status: "waiting" });
  expect(line.cuts).toBe(CUTS);
  console.log(`${line.cuts} cuts: ${(line.upBytes / wav.length).toFixed(3)} times the bytes`);
  expect(line.upBytes).toBeLessThan(wav.length * 1.1);
});

test("[W53] with a key, a send that was killed is resumed by the next one", async () => {
  await using relay = await RunningRelay.start();
  await using line = await Cutter.to(relay.url);
  const app = await commandOf(relay, line.url);
  await app.run("pair", app.code);
  const wav = smallWav({ frames: FRAMES });
  const files = [await app.write("first.wav", smallWav()), await app.write("long.wav", wav)];
  line.upBytes = 0;
  const killed = app.start("send", ...files, "--key", "take-1");
  await killed.said("Sent 30 %");
  killed.kill("SIGKILL");
  const { stderr } = await killed.ended;
  const again = await app.run("send", ...files, "--key", "take-1", "--no-follow", "--json");
  expect(again).toMatchObject({ status: 0 });
  expect(packageIn(again)).toBe(packageIn({ stderr }));
  expect(line.upBytes).toBeLessThan(wav.length * 1.1);
});
