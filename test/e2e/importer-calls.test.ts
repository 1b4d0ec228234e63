import { cp } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Machine, makeMachine } from "../cli/run-soundferry.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures", "packages");
const KIT = join(FIXTURES, "one-shot-kit");
const LOOPS = join(FIXTURES, "missing-tempo");
const BROKEN = join(FIXTURES, "local-with-broken-sounds");

/** Starts relay and importer and gives the relay's address. */
async function startUp(machine: Machine): Promise<string> {
  const up = machine.start(["up", "--json"]);
  await up.until(({ stdout }) => stdout.endsWith("\n"));
  return JSON.parse(up.stdout).relay_url;
}

describe("importer's calls, with one that runs", () => {
  test("[K5][P2][P7] code, apps, packages and unpair, as the API answers", async () => {
    await using machine = await makeMachine();
    const relay = await startUp(machine);
    const ask = async (...words: string[]) =>
      JSON.parse((await machine.run(["importer", ...words, "--json"])).stdout);

    const code = await ask("code");
    expect(code).toEqual({
      code: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      expires_at: expect.stringMatching(/Z$/),
      expires_in: 600,
    });
    const send = ["send", KIT, "--relay", relay];
    const sent = await machine.run([...send, "--code", code.code, "--no-follow", "--json"]);
    expect(JSON.parse(sent.stdout).status).toBe("waiting");

    const { apps } = await ask("apps");
    expect(apps).toMatchObject([{ app_name: "Soundferry send" }]);
    const { packages, local } = await ask("packages");
    expect(packages).toMatchObject([{ status: "waiting", app_name: "Soundferry send" }]);
    expect(local).toEqual([]);

    expect(await ask("unpair", apps[0].pairing_id)).toEqual({});
    expect((await ask("apps")).apps).toEqual([]);
    const refused = await machine.run(send);
    expect(refused.stderr).toContain("Not paired any more. Enter a new pairing code. Add --code");
    expect(refused.status).toBe(2);
    expect((await machine.run(["importer", "unpair", "pair_nobody"])).status).toBe(1);
  });

  test("[K5] import gives scene, folder and every setting of each track", async () => {
    await using machine = await makeMachine();
    await startUp(machine);
    const { stdout, status } = await machine.run(["importer", "import", LOOPS, "--json"]);
    const { packages } = JSON.parse(stdout);
    expect(status).toBe(0);
    expect(Object.keys(packages[0])).toEqual(["package_id", "status", "scene", "folder", "tracks"]);
    expect(Object.keys(packages[0].tracks[0]).toSorted().join(" ")).toBe(
      "clip color_index differences error file gain_db id kind loop_beats looping notes status tempo_bpm track warp_mode warping",
    );
    const tempi = packages[0].tracks.map((track: { tempo_bpm: number | null }) => track.tempo_bpm);
    expect(tempi).toContain(null);
  });

  test("[R3] a second importer on the same folder is told who has it", async () => {
    await using machine = await makeMachine();
    await startUp(machine);
    const { status, stderr } = await machine.run(["importer"]);
    expect(stderr).toMatch(/An importer runs already \(process \d+\)/);
    expect(status).toBe(1);
  });
});

describe("importer's calls, with none that runs", () => {
  test("[K1][K2][R1][R5] imports folders without any relay; a sound left out makes it exit 1", async () => {
    await using machine = await makeMachine();
    const whole = await machine.run(["importer", "import", KIT]);
    expect(whole.stdout).toContain("10 of 10 sounds imported. Files: ");
    expect(whole.status).toBe(0);

    const broken = await machine.run(["importer", "import", BROKEN, machine.home, "--json"]);
    const { packages, failures } = JSON.parse(broken.stdout);
    expect(packages).toMatchObject([{ status: "partial" }]);
    expect(failures).toEqual([
      { source: machine.home, error: "manifest.json is not in the package's folder." },
    ]);
    expect(broken.status).toBe(1);
  });

  test("[K2][R5] --all takes each inbox package once, and says that the relay can't be asked", async () => {
    await using machine = await makeMachine();
    await cp(KIT, join(machine.home, "Music", "Soundferry", "Inbox", "kit"), { recursive: true });
    const importAll = async () => {
      const { stdout, status } = await machine.run([
        "importer",
        "import",
        "--all",
        "--json",
        "--relay-url",
        "http://127.0.0.1:9",
      ]);
      return { ...JSON.parse(stdout), exit: status };
    };
    const first = await importAll();
    expect(first.packages).toMatchObject([{ status: "imported" }]);
    expect(first.failures).toMatchObject([{ source: "http://127.0.0.1:9" }]);
    expect(first.exit).toBe(1);
    expect((await importAll()).packages).toEqual([]);
  });

  test("[K1] what only a relay can answer fails in words when none is there", async () => {
    await using machine = await makeMachine();
    const words = ["importer", "packages", "--json", "--relay-url", "http://127.0.0.1:9"];
    const packages = await machine.run(words);
    expect(JSON.parse(packages.stdout)).toEqual({
      packages: [],
      local: [],
      relay_error: "Nothing answers at 127.0.0.1:9. Is the relay running?",
    });
    expect(packages.status).toBe(1);
    const code = await machine.run(["importer", "code", "--relay-url", "http://127.0.0.1:9"]);
    expect(code).toEqual({
      status: 1,
      stdout: "",
      stderr: "Nothing answers at 127.0.0.1:9. Is the relay running?\n",
    });
  });
});

test("[K2][P2] the importer shows a code as soon as its relay is there", async () => {
  await using machine = await makeMachine();
  const relay = machine.start(["relay", "--json"]);
  await relay.until(({ stdout }) => stdout.endsWith("\n"));
  const { url } = JSON.parse(relay.stdout);
  relay.interrupt();
  await relay.ended;
  const importer = machine.start(["importer", "--relay-url", url]);
  await importer.until(({ stderr }) => stderr.includes("Is the relay running?"));
  machine.start(["relay", "--port", new URL(url).port]);
  await importer.until(({ stderr }) => stderr.includes("pairing code, good for 10 minutes"));
});

test("[K2] the importer alone tells its folders, its code and what happens", async () => {
  await using machine = await makeMachine();
  const relay = machine.start(["relay", "--json"]);
  await relay.until(({ stdout }) => stdout.endsWith("\n"));
  const { url } = JSON.parse(relay.stdout);
  const importer = machine.start(["importer", "--json", "--relay-url", url]);
  await importer.until(({ stderr }) => stderr.includes("pairing code, good for 10 minutes"));
  expect(JSON.parse(importer.stdout)).toMatchObject({
    relay_url: url,
    sounds_folder: join(machine.home, "Music", "Soundferry"),
    device_name: "Test machine",
  });
  importer.interrupt();
  expect((await importer.ended).status).toBe(0);
});
