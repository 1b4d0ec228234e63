import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Cutter } from "../../sim/cutter.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { smallWav } from "../../wav-bytes.ts";
import { commandOf, packageIn } from "./command-of.ts";
import { PACKAGE, PythonProcess } from "./run-python.ts";

test("[W53] the Python command pairs, sends, follows, lists and unpairs", async () => {
  await using relay = await RunningRelay.start();
  const app = await commandOf(relay);
  expect(await app.run("pair", app.code)).toMatchObject({
    status: 0,
    stdout: "Paired with Studio.\n",
  });
  const { mode } = await stat(join(app.env.SOUNDFERRY_APP_DATA, "tokens.json"));
  if (process.platform !== "win32") expect(mode & 0o777).toBe(0o600);

  const beat = await app.write("beat.wav", smallWav());
  const sending = app.start("send", beat, "--title", "Take one", "--kind", "loop", "--bpm", "120");
  await sending.said("Waiting for Import");
  const { json } = await relay.call("GET", "/importer/packages", { token: app.importer.token });
  const [waiting] = json.packages;
  expect(waiting.manifest).toMatchObject({ title: "Take one", tempo: { bpm: 120 } });
  const [{ id, name }] = waiting.manifest.items;
  expect(name).toBe("beat");
  const results = { [id]: { status: "imported", track: "beat (Soundferry send)" } };
  await relay.call("POST", `/importer/packages/${waiting.package_id}/results`, {
    token: app.importer.token,
    body: { results },
  });
  const sent = await sending.ended;
  expect(sent).toMatchObject({ status: 0 });
  expect(sent.stdout).toBe(`Take one was imported.\n  ${id}: imported (beat (Soundferry send))\n`);

  const waits = await app.run("send", beat, "--no-follow", "--json");
  expect(JSON.parse(waits.stdout)).toMatchObject({ status: "waiting" });
  expect((await app.run("withdraw", packageIn(waits))).status).toBe(0);
  expect(await app.run("status", packageIn(waits))).toMatchObject({
    status: 1,
    stderr: "There is no such package.\n",
  });
  expect(await app.run("unpair")).toMatchObject({ status: 0 });
  expect(await app.run("me")).toMatchObject({
    status: 1,
    stderr: "Not paired with this relay yet. Enter a pairing code.\n",
  });
});

test("[W53] the program in the README works as it is", async () => {
  await using relay = await RunningRelay.start();
  const app = await commandOf(relay);
  const readme = await readFile(join(PACKAGE, "README.md"), "utf8");
  const program = /^```python\n(.*?)^```$/ms.exec(readme)?.[1] ?? "";
  const beat = await app.write("beat.wav", smallWav());
  await app.write("hit.wav", smallWav());
  const fitting = program
    .replace("http://127.0.0.1:4700", relay.url)
    .replace("K7M Q2X", app.code)
    .replace(
      "print(status.status",
      "print(status.status, file=sys.stderr, flush=True); print(status.status",
    );
  const written = await app.write("program.py", Buffer.from(`import sys\n${fitting}`));
  const running = new PythonProcess([written], {}, dirname(beat));
  await running.said("waiting");
  const { json } = await relay.call("GET", "/importer/packages", { token: app.importer.token });
  const [waiting] = json.packages;
  expect(waiting.manifest.items).toMatchObject([
    { name: "beat", kind: "loop", role: "drums", bpm: 120 },
    { name: "Hit", color: "#FF8000", gain_db: -3 },
  ]);
  await relay.call("POST", `/importer/packages/${waiting.package_id}/results`, {
    token: app.importer.token,
    body: { results: { 1: { status: "imported" } } },
  });
  const { status, stdout } = await running.ended;
  expect(status).toBe(0);
  expect(stdout).toContain("uploading 488 488");
  expect(stdout).toMatch(/^partial \{'1': SoundResult\(status='imported'/m);
});

test("[W53] a refused sound ends the send with the relay's sentence, and the package is withdrawn", async () => {
  await using relay = await RunningRelay.start();
  const app = await commandOf(relay);
  await app.run("pair", app.code);
  const files = [
    await app.write("beat.wav", smallWav()),
    await app.write("memo.wav", Buffer.alloc(4_000_000, "memo ")),
  ];
  const refused = await app.run("send", ...files, "--json");
  expect(refused.status).toBe(1);
  expect(JSON.parse(refused.stdout)).toEqual({
    error: "memo.wav: not a WAV file. Export it as WAV.",
    code: "WAV_NOT_RIFF",
  });
  expect(await relay.status(await app.token(), packageIn(refused))).toMatchObject({
    code: "PACKAGE_UNKNOWN",
  });
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "[W53] %s in the middle of an upload ends it and withdraws the package",
  async (signal) => {
    await using relay = await RunningRelay.start();
    await using line = await Cutter.to(relay.url);
    const app = await commandOf(relay, `http://127.0.0.1:${line.port}`);
    await app.run("pair", app.code);
    const long = await app.write("long.wav", smallWav({ frames: 20_000_000 }));
    line.play({ at: { bytes: 10_000_000 }, does: "stall" });
    const sending = app.start("send", long);
    await sending.said("Sent 20 %");
    sending.kill(signal);
    const stopped = await sending.ended;
    expect(stopped).toMatchObject({ status: 130, signal: null });
    expect(stopped.stderr).toMatch(/\nStopped; nothing was sent\.\n$/);
    expect(stopped.stderr).not.toContain("Traceback");
    expect(await relay.status(await app.token(), packageIn(stopped))).toMatchObject({
      code: "PACKAGE_UNKNOWN",
    });
  },
);

test("[W53] a token that was revoked is forgotten", async () => {
  await using relay = await RunningRelay.start();
  const app = await commandOf(relay);
  await app.run("pair", app.code);
  const { json } = await relay.call("GET", "/importer/apps", { token: app.importer.token });
  const [{ pairing_id: pairingId }] = json.apps;
  await relay.call("DELETE", `/importer/apps/${pairingId}`, { token: app.importer.token });
  expect(await app.run("me")).toMatchObject({
    stderr: "No longer paired. Enter a new pairing code.\n",
  });
  expect(await app.run("me")).toMatchObject({
    stderr: "Not paired with this relay yet. Enter a pairing code.\n",
  });
});
