import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Cutter } from "../../sim/cutter.ts";
import { RunningRelay } from "../../relay/running-relay.ts";
import { smallWav } from "../../wav-bytes.ts";
import { commandOf, packageIn, PACKAGE, PythonProcess, runPython } from "./run-python.ts";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { MAX_FILE_NAME_LENGTH, MAX_PACKAGE_BYTES, MAX_WAIT_SECONDS } from "../../../core/limits.ts";
import { FILE_NAME_PATTERN } from "../../../core/manifest/manifest.ts";
import { WHERE_TO_IMPORT } from "../../../core/protocol/public-api.ts";
import { VERSION } from "../../../core/version.ts";

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

test("[W55] the Python command says where codes are shown, and names the page that receives", async () => {
  await using relay = await RunningRelay.start();
  const app = await commandOf(relay);
  expect(await app.run("pair")).toMatchObject({
    status: 2,
    stdout: "",
    stderr:
      "Soundferry shows the code on the computer you want to send to.\n" +
      `Nothing installed? Open ${relay.url}/receive in any browser.\n`,
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

test("[W13][W53] sounds that the relay would refuse end the send before it announces anything", async () => {
  await using relay = await RunningRelay.start();
  const app = await commandOf(relay);
  await app.run("pair", app.code);
  const files = [
    await app.write("beat.wav", smallWav()),
    await app.write("memo 1.wav", Buffer.alloc(4_000_000, "memo ")),
    await app.write("Größe.wav", smallWav().subarray(0, 100)),
  ];
  const refused = await app.run("send", ...files, "--json");
  expect(refused.status).toBe(1);
  const memo = "memo 1: not a WAV file. Export it as WAV.";
  const size = "Größe: the file is incomplete. Export it again.";
  const error = `2 sounds can't be sent. ${memo} ${size}`;
  expect(JSON.parse(refused.stdout)).toEqual({ error, code: "SOUNDS_REFUSED" });
  expect(refused.stderr).toBe(`${error}\n`);
  expect(await app.run("list")).toMatchObject({ status: 0, stdout: "\n" });
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

const SOURCES = globSync(["soundferry/**/*.py", "tests/*.py", "build_backend/*.py"], {
  cwd: PACKAGE,
});

test("[W52][W53] the Python package's own tests pass, among them every vector", async () => {
  const run = await runPython([
    "-m",
    "unittest",
    "discover",
    "-s",
    join(PACKAGE, "tests"),
    "-t",
    PACKAGE,
  ]);
  expect(run.stderr).toMatch(/Ran [1-9]\d* tests? in [\s\S]*\nOK\n$/);
});

test("[W53] the Python package needs nothing newer than the syntax of 3.9", async () => {
  expect(SOURCES.length).toBeGreaterThan(20);
  const check =
    "import ast, sys\nfor p in sys.argv[1:]: ast.parse(open(p, encoding='utf-8').read(), p, feature_version=(3, 9))";
  const files = SOURCES.map((path) => join(PACKAGE, path));
  expect(await runPython(["-c", check, ...files])).toMatchObject({ status: 0, stderr: "" });
});

test("[W53] the Python package imports the standard library alone", async () => {
  const program = [
    "import ast, importlib, sys",
    "for path in sys.argv[1:]:",
    "    for node in ast.walk(ast.parse(open(path, encoding='utf-8').read())):",
    "        names = [each.name for each in node.names] if isinstance(node, ast.Import) else []",
    "        if isinstance(node, ast.ImportFrom) and node.level == 0: names = [node.module]",
    "        for name in names: importlib.import_module(name)",
  ].join("\n");
  const own = SOURCES.filter((path) => !path.startsWith("tests/"));
  // -S leaves out everything that was installed.
  const words = ["-S", "-I", "-c", program, ...own.map((path) => join(PACKAGE, path))];
  expect(await runPython(words)).toMatchObject({ status: 0, stderr: "" });
});

test("[W53] its numbers, names and version are the relay's", async () => {
  const program =
    "import json, soundferry, soundferry.limits as l\n" +
    "print(json.dumps([soundferry.__version__, soundferry.WHERE_TO_IMPORT, l.MAX_PACKAGE_BYTES, l.MAX_WAIT_SECONDS," +
    " l.MAX_FILE_NAME_LENGTH, '^' + l.FILE_NAME.pattern + '$']))";
  const { stdout } = await runPython(["-c", program]);
  expect(JSON.parse(stdout)).toEqual([
    VERSION,
    WHERE_TO_IMPORT,
    MAX_PACKAGE_BYTES,
    MAX_WAIT_SECONDS,
    MAX_FILE_NAME_LENGTH,
    FILE_NAME_PATTERN,
  ]);
  expect(readFileSync(join(PACKAGE, "README.md"), "utf8")).toContain(`soundferry-${VERSION}-`);
});

const hasMypy = spawnSync("mypy", ["--version"]).status === 0;

test.skipIf(!hasMypy)("[W53] its types suffice for mypy --strict (needs mypy)", () => {
  // Its settings are in pyproject.toml.
  const words = ["--cache-dir", "/dev/null"];
  const { status, stdout } = spawnSync("mypy", words, { cwd: PACKAGE, encoding: "utf8" });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: expect.stringContaining("no issues found"),
  });
});
