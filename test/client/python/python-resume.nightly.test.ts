import { expect, test } from "vitest";
import { RunningRelay } from "../../relay/running-relay.ts";
import { Cutter } from "../../sim/cutter.ts";
import { smallWav } from "../../wav-bytes.ts";
import { commandOf, packageIn, hasModule, PACKAGE, PYTHON } from "./run-python.ts";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { VERSION } from "../../../core/version.ts";
import { buildWheel } from "../../../scripts/build-wheel.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

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

const run = promisify(execFile);

test("[W54] two builds of the wheel are the same to the byte", async () => {
  const built = [
    await buildWheel(await temporaryFolder()),
    await buildWheel(await temporaryFolder()),
  ];
  const [one, other] = await Promise.all(built.map((path) => readFile(path)));
  expect(one?.equals(other ?? Buffer.alloc(0))).toBe(true);
});

// Debian keeps ensurepip in a package of its own.
const canInstall = hasModule("venv, ensurepip");

test.skipIf(!canInstall)(
  "[W54] the wheel and the sources install into an empty environment (needs python3-venv)",
  async () => {
    const folder = await temporaryFolder();
    const wheel = await buildWheel(folder);
    for (const what of [wheel, PACKAGE]) {
      const venv = join(await temporaryFolder(), "venv");
      await run(PYTHON, ["-m", "venv", venv]);
      const python = join(venv, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
      const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input"];
      await run(python, [...pip, "install", "--no-index", "--quiet", what]);
      const { stdout: listed } = await run(python, [...pip, "list", "--format", "freeze"]);
      const others = /^(pip|setuptools|wheel)==/;
      expect(
        listed
          .trim()
          .split(/\r?\n/)
          .filter((name) => !others.test(name)),
      ).toEqual([`soundferry==${VERSION}`]);
      const typed =
        "import os, soundferry; print(os.path.exists(os.path.join(os.path.dirname(soundferry.__file__), 'py.typed')))";
      expect((await run(python, ["-I", "-c", typed])).stdout.trim()).toBe("True");
      const { stdout } = await run(python, ["-I", "-m", "soundferry", "--version"]);
      expect(stdout.trim()).toBe(VERSION);
      await run(python, [...pip, "check"]);
    }
  },
);
