import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStoredSettings } from "../../addon/state/stored-settings.ts";
import type { PanelState } from "../../core/protocol/panel-api.ts";
import { ask } from "../addon/control/ask.ts";
import { type Machine, makeMachine } from "../cli/run-soundferry.ts";
import { soon } from "../sim/soon.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures", "packages");
const KIT = join(FIXTURES, "one-shot-kit");
const LOOPS = join(FIXTURES, "missing-tempo");
const BROKEN = join(FIXTURES, "local-with-broken-sounds");

/** Starts a long-running command and returns the one value that it prints. */
async function startAndRead(
  machine: Machine,
  words: readonly string[],
  environment?: Record<string, string>,
) {
  const running = machine.start(words, environment);
  await running.until(({ stdout }) => stdout.endsWith("\n"));
  const facts: Readonly<Record<string, string>> = JSON.parse(running.stdout);
  return { running, facts };
}

/** Makes a call as the panel at this address does. */
async function askPanel(panelUrl: string, method: string, path: string, body?: object) {
  const { port, hash, origin } = new URL(panelUrl);
  const headers = { "x-soundferry-secret": hash.slice(1), origin };
  return ask(Number(port), { method, path, headers, ...(body !== undefined && { body }) });
}

/** The panel's first state. */
async function readState(panelUrl: string): Promise<PanelState> {
  const { hash, origin } = new URL(panelUrl);
  const headers = { "x-soundferry-secret": hash.slice(1) };
  const answer = await fetch(`${origin}/control/state`, { headers });
  let text = "";
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes("\n")) break;
  }
  return JSON.parse(text.split("\n", 1)[0] ?? "");
}

describe("importer's calls, with a running importer", () => {
  let machine: Machine;
  let up: Readonly<Record<string, string>>;
  beforeAll(async () => {
    machine = await makeMachine();
    up = (await startAndRead(machine, ["up", "--json"])).facts;
  });
  afterAll(() => machine[Symbol.asyncDispose]());

  test("[K5][P2][P7] code, apps, packages and unpair answer as the API does", async () => {
    const ask = async (...words: string[]) =>
      JSON.parse((await machine.runInside(["importer", ...words, "--json"])).stdout);

    const code = await ask("code");
    expect(code).toEqual({
      code: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      expires_at: expect.stringMatching(/Z$/),
      expires_in: 600,
    });
    const send = ["send", KIT, "--relay", up["relay_url"] ?? ""];
    const sent = await machine.runInside([...send, "--code", code.code, "--no-follow", "--json"]);
    expect(JSON.parse(sent.stdout).status).toBe("waiting");

    const { apps } = await ask("apps");
    expect(apps).toMatchObject([{ app_name: "Soundferry send" }]);
    const { packages, local } = await ask("packages");
    expect(packages).toMatchObject([{ status: "waiting", app_name: "Soundferry send" }]);
    expect(local).toEqual([]);

    expect(await ask("unpair", apps[0].pairing_id)).toEqual({});
    expect((await ask("apps")).apps).toEqual([]);
    const refused = await machine.runInside(send);
    expect(refused.stderr).toContain("No longer paired. Enter a new pairing code. Add --code");
    expect(refused.status).toBe(2);
    expect((await machine.runInside(["importer", "unpair", "pair_nobody"])).status).toBe(1);
  });

  test("[K5] import returns scene, folder and every setting of each track", async () => {
    const { stdout, status } = await machine.runInside(["importer", "import", LOOPS, "--json"]);
    const { packages } = JSON.parse(stdout);
    expect(status).toBe(0);
    expect(Object.keys(packages[0])).toEqual(["package_id", "status", "scene", "folder", "tracks"]);
    expect(Object.keys(packages[0].tracks[0]).toSorted().join(" ")).toBe(
      "clip color_index differences error file gain_db id kind loop_beats looping notes status tempo_bpm track warp_mode warping",
    );
    const tempi = packages[0].tracks.map((track: { tempo_bpm: number | null }) => track.tempo_bpm);
    expect(tempi).toContain(null);
  });

  test("[R3][R7][K5] import for another host runs there, and says where the file is", async () => {
    const words = ["importer", "import", LOOPS, "--host", "dawproject", "--arrangement"];
    const { stdout, status } = await machine.runInside([...words, "--json"]);
    const { packages } = JSON.parse(stdout);
    expect(status).toBe(0);
    const path: string = packages[0].dawproject;
    expect(path).toMatch(/ \(arrangement\)\.dawproject$/);
    expect((await readFile(path)).subarray(0, 2).toString()).toBe("PK");
    const { finished } = await readState(up["panel_url"] ?? "");
    const elsewhere = finished.filter(({ otherHost }) => otherHost !== undefined);
    expect(elsewhere).toMatchObject([{ otherHost: "dawproject-arrangement" }]);
    const again = await machine.runInside(words);
    expect(again.stdout).toContain(
      `imported into a DAWproject with an arrangement. File: ${path}\n`,
    );
  });

  test("[R3] a second importer on the same folder is refused and names the first", async () => {
    const { status, stderr } = await machine.runInside(["importer"]);
    expect(stderr).toMatch(/An importer is already running \(process \d+\)/);
    expect(status).toBe(1);
  });
});

describe("importer's calls, without a running importer", () => {
  test("[K1][K2][R1][R5] import takes folders without any relay, and exits with 1 for a sound left out", async () => {
    await using machine = await makeMachine();
    const whole = await machine.runInside(["importer", "import", KIT]);
    expect(whole.stdout).toContain(": 10 of 10 sounds. Files: ");
    expect(whole.status).toBe(0);

    const broken = await machine.runInside(["importer", "import", BROKEN, machine.home, "--json"]);
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
      const { stdout, status } = await machine.runInside([
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

  test("[K1] calls that need a relay fail with a sentence when there is none", async () => {
    await using machine = await makeMachine();
    const words = ["importer", "packages", "--json", "--relay-url", "http://127.0.0.1:9"];
    const packages = await machine.runInside(words);
    expect(JSON.parse(packages.stdout)).toEqual({
      packages: [],
      local: [],
      relay_error: "Nothing answers at 127.0.0.1:9. Is the relay running?",
    });
    expect(packages.status).toBe(1);
    const code = await machine.runInside(["importer", "code", "--relay-url", "http://127.0.0.1:9"]);
    expect(code).toEqual({
      status: 1,
      stdout: "",
      stderr: "Nothing answers at 127.0.0.1:9. Is the relay running?\n",
    });
  });
});

test("[K2][P2] the importer makes no code, also when its relay is reachable again", async () => {
  await using machine = await makeMachine();
  const relay = machine.start(["relay", "--json"]);
  await relay.until(({ stdout }) => stdout.endsWith("\n"));
  const { url } = JSON.parse(relay.stdout);
  relay.interrupt();
  await relay.ended;
  const importer = machine.start(["importer", "--relay-url", url]);
  await importer.until(({ stderr }) => stderr.includes("Is the relay running?"));
  machine.start(["relay", "--port", new URL(url).port]);
  const [, panelUrl = ""] = /Panel +(http:\S+)/.exec(importer.stdout) ?? [];
  await soon(async () => (await readState(panelUrl)).connection.status).toBe("connected");
  expect((await readState(panelUrl)).pairing.code).toBeNull();
  expect(importer.stdout).toMatch(/Pair an app +in the panel, or with .* importer code\n/);
  const asked = await machine.runInside(["importer", "code", "--json", "--relay-url", url]);
  const { code } = JSON.parse(asked.stdout);
  expect((await readState(panelUrl)).pairing).toMatchObject({
    code,
    expiresInSeconds: expect.any(Number),
  });
});

test("[K2] the importer alone prints its folders and what happens", async () => {
  await using machine = await makeMachine();
  const relay = machine.start(["relay", "--json"]);
  await relay.until(({ stdout }) => stdout.endsWith("\n"));
  const { url } = JSON.parse(relay.stdout);
  const importer = machine.start(["importer", "--json", "--relay-url", url]);
  await importer.until(({ stdout }) => stdout.endsWith("\n"));
  expect(JSON.parse(importer.stdout)).toMatchObject({
    relay_url: url,
    sounds_folder: join(machine.home, "Music", "Soundferry"),
    device_name: "Test machine",
  });
  importer.interrupt();
  expect((await importer.ended).status).toBe(0);
});

describe("the panel's address", () => {
  test("[N1][K5] is printed by up and opens the page, and calls need the secret after its #", async () => {
    await using machine = await makeMachine();
    const { facts } = await startAndRead(machine, ["up", "--json"]);
    const { panel_url: url = "", panel_port: port } = facts;
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/#[\\w-]{43}$`));
    const page = await fetch(url);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toMatch(/script-src 'sha256-/);
    expect(await page.text()).toContain('id="start"');
    const { deviceName, connection } = await readState(url);
    expect(deviceName).toBe("Test machine");
    expect(connection.fixedBecause).toMatch(/\.$/);
    const refused = await askPanel(url, "PUT", "/control/relay", { address: "http://127.0.0.1:9" });
    expect(refused.json?.["error"]).toBe(connection.fixedBecause);
  });

  test("[N1] is printed for people, too", async () => {
    await using machine = await makeMachine();
    const importer = machine.start(["importer", "--relay-url", "http://127.0.0.1:9"]);
    await importer.until(({ stdout }) =>
      /Panel +http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}\n/.test(stdout),
    );
  });

  test("[N4][K3] the relay chosen in the panel is used on the next start", async () => {
    await using machine = await makeMachine();
    const folder = join(machine.home, "importer");
    openStoredSettings(folder).storeSetting("SOUNDFERRY_RELAY_URL", "http://127.0.0.1:9");
    const relay = await startAndRead(machine, ["relay", "--json"]);
    const { url: address = "" } = relay.facts;
    const own = { SOUNDFERRY_IMPORTER_DATA: folder };
    const { running, facts } = await startAndRead(machine, ["importer", "--json"], own);
    expect(facts["relay_url"]).toBe("http://127.0.0.1:9");
    const { panel_url: url = "" } = facts;
    const chosen = await askPanel(url, "PUT", "/control/relay", { address });
    expect(chosen.status).toBe(200);
    await running.until(({ stderr }) => stderr.includes(`The relay is now ${address}.`));
    running.interrupt();
    await running.ended;
    const next = await startAndRead(machine, ["importer", "--json"], own);
    expect(next.facts["relay_url"]).toBe(address);
  });
});
