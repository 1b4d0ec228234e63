import { execFileSync } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Finding } from "../../../cli/doctor/finding.ts";
import { SUBCOMMANDS } from "../../../cli/subcommands.ts";
import { isOnlySaved } from "../../../core/protocol/package-status.ts";
import { VERSION } from "../../../core/version.ts";
import { withAppLinks } from "../../../relay/http/app-links.ts";
import { type AppBundle, bundleApp } from "../../../scripts/app/bundle-app.ts";
import { makeExecutable } from "../../../scripts/app/make-executable.ts";
import { packApp } from "../../../scripts/app/pack-app.ts";
import { SYSTEMS } from "../../../scripts/app/systems.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { type Machine, makeMachine } from "../../cli/run-soundferry.ts";
import { soon } from "../../sim/soon.ts";

const ROOT = join(import.meta.dirname, "../../..");
const KIT = join(ROOT, "fixtures/packages/one-shot-kit");
const SCRIPT = "addon/hosts/live/remote-script/Soundferry";

/** Only what ships is there: no Node, no npm, no checkout. */
const BARE = { PATH: "/no-programs", CI: "", DISPLAY: "", WAYLAND_DISPLAY: "" };

/** Elsewhere the app is unsigned, and macOS starts nothing that isn't signed. */
describe.skipIf(process.platform !== "linux")("[K8] the app for this system", () => {
  let bundle: AppBundle;
  let folder: string;
  let program: string;

  beforeAll(async () => {
    bundle = await bundleApp();
    // In an empty folder, as after a download.
    folder = await mkdtemp(join(tmpdir(), "soundferry-app-"));
    program = join(folder, "Soundferry");
    await makeExecutable(bundle, process.execPath, program);
    expect(() => execFileSync("node", ["-v"], { env: BARE, stdio: "ignore" })).toThrow("ENOENT");
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const start = async (machine: Machine, words: readonly string[], more = {}) => {
    const running = machine.start([...words, "--json"], { ...BARE, ...more });
    await running.until(({ stdout }) => stdout.includes("\n"));
    return { running, facts: JSON.parse(running.stdout) as Record<string, string> };
  };

  test("started without a subcommand, it opens the panel in the browser, and SIGTERM ends it", async () => {
    await using machine = await makeMachine([program]);
    const browser = join(machine.home, "browser");
    const opened = join(machine.home, "opened");
    await mkdir(browser);
    await writeFile(join(browser, "xdg-open"), `#!/bin/sh\necho "$1" > '${opened}'\n`);
    await chmod(join(browser, "xdg-open"), 0o755);
    const screen = { PATH: `${browser}:${BARE.PATH}`, DISPLAY: ":0" };
    const { running, facts } = await start(machine, [], screen);
    await soon(() => readFile(opened, "utf8").catch(() => "")).toMatch(/\n$/);
    const html = await readFile((await readFile(opened, "utf8")).trim(), "utf8");
    const session = await fetch(new URL("/control/panel-session", facts["panel_url"]), {
      method: "POST",
      body: JSON.stringify({ key: /#open=([\w-]+)/.exec(html)?.[1] }),
    });
    const { secret } = (await session.json()) as { readonly secret: string };
    expect(facts["panel_url"]).toMatch(new RegExp(`/#${secret}$`));
    const panel = await fetch(facts["panel_url"] ?? "");
    expect(await panel.text()).toBe(bundle.files.get("panel.html"));
    const module = await fetch(new URL("/stretch.js", facts["panel_url"]));
    expect(await module.text()).toBe(bundle.files.get("stretch.js"));

    running.interrupt("SIGTERM");
    expect(await running.ended).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/Stopping/),
    });
  });

  test("a package that is sent to it comes into the preview", async () => {
    await using machine = await makeMachine([program]);
    const { facts } = await start(machine, ["up", "--host", "preview"]);
    const { relay_url: relay = "", code = "", sounds_folder: sounds = "" } = facts;
    const sent = await machine.run(
      ["send", KIT, "--relay", relay, "--code", code, "--no-follow"],
      BARE,
    );
    expect(sent).toMatchObject({ status: 0 });
    const imported = await machine.run(["importer", "import", "--all", "--json"], BARE);
    expect(imported).toMatchObject({ status: 0 });
    const { packages } = JSON.parse(imported.stdout);
    expect(packages).toMatchObject([{ status: "imported", scene: { name: expect.any(String) } }]);
    const session = JSON.parse(await readFile(facts["preview_session"] ?? "", "utf8"));
    expect(session.tracks).toHaveLength(packages[0].tracks.length);
    const files = await readdir(packages[0].folder);
    expect(packages[0].folder.startsWith(sounds)).toBe(true);
    expect(files.filter((name) => name.endsWith(".wav"))).toHaveLength(session.tracks.length);
  });

  test("[R16] without Live, what is sent to it is saved: its first start needs nothing else", async () => {
    await using machine = await makeMachine([program]);
    const { facts } = await start(machine, ["--auto-import", "--code", "K7MQ2X"]);
    const { relay_url: relay = "", sounds_folder: sounds = "", host } = facts;
    expect(host).toBe("folder");
    const words = ["send", KIT, "--relay", relay, "--code", "K7MQ2X", "--json"];
    const sent = await machine.run(words, BARE);
    expect(sent).toMatchObject({ status: 0 });
    expect(isOnlySaved(JSON.parse(sent.stdout).results)).toBe(true);
    const files = await readdir(join(sounds, "Kitchen Kit"));
    expect(files.filter((name) => name.endsWith(".wav"))).toHaveLength(10);
  });

  test("[K7] a second start with --open shows the panel of the first, and ends", async () => {
    await using machine = await makeMachine([program]);
    const { facts } = await start(machine, ["up"]);
    const second = await machine.run(["up", "--open", "--json"], BARE);
    expect(second).toMatchObject({ status: 0 });
    expect(JSON.parse(second.stdout).panel_url).toBe(facts["panel_url"]);
  });

  test("the relay serves its page and the client, and keeps the contract", async () => {
    await using machine = await makeMachine([program]);
    const { facts } = await start(machine, ["relay"]);
    const { url = "" } = facts;
    expect(await (await fetch(url)).text()).toBe(
      withAppLinks(String(bundle.files.get("page.html"))),
    );
    const files = new Map(
      JSON.parse(String(bundle.files.get("client-files.json"))) as [string, string][],
    );
    expect(await (await fetch(`${url}/client.js`)).text()).toBe(files.get("client.js"));
    const words = ["conformance", "--relay", url, "--only", "A1", "--json"];
    const { status, stdout } = await machine.run(words, BARE);
    expect({ status, ...JSON.parse(stdout) }).toMatchObject({
      status: 0,
      keeps_the_contract: true,
    });
  });

  test("the preview shows given folders, and otherwise the inbox", async () => {
    await using machine = await makeMachine([program]);
    const without = await machine.run(["preview", "--json"], BARE);
    expect(without).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`${program} preview`),
    });
    const inbox = join(machine.home, "Music", "Soundferry", "Inbox");
    await cp(KIT, join(inbox, "kit"), { recursive: true });
    const { facts } = await start(machine, ["preview"]);
    expect(facts["folders"]).toEqual([inbox]);
    expect(await (await fetch(facts["url"] ?? "")).text()).toBe(bundle.files.get("preview.html"));
  });

  test("its other subcommands work, too", async () => {
    await using machine = await makeMachine([program]);
    const all = await machine.run(["--help"], BARE);
    for (const name of Object.keys(SUBCOMMANDS)) expect(all.stdout).toContain(`  ${name} `);
    expect((await machine.run(["--version"], BARE)).stdout).toBe(`${VERSION}\n`);
    const layout = await machine.run(
      ["layout", KIT, "--dawproject", join(machine.home, "kit.dawproject")],
      BARE,
    );
    expect(layout).toMatchObject({ status: 0 });
    expect(layout.stdout).toContain("kit.dawproject");
    const { stdout } = await machine.run(["doctor", "--json"], BARE);
    const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
    expect(findings.find(({ check }) => check === "node")?.sentence).toContain(program);
    expect(findings.filter(({ state }) => state === "wrong")).toEqual([]);
  });

  test("live install writes the control surface that is inside", async () => {
    await using machine = await makeMachine([program]);
    const library = join(machine.home, "User Library");
    await mkdir(library);
    const words = ["--live-library", library, "--json"];
    expect(await machine.run(["live", "install", ...words], BARE)).toMatchObject({ status: 0 });
    const folder = join(library, "Remote Scripts", "Soundferry");
    const names = await readdir(join(ROOT, SCRIPT));
    const own = names.filter((name) => name.endsWith(".py"));
    expect(own).toContain("version.py");
    for (const name of own) {
      expect(await readFile(join(folder, name), "utf8")).toBe(
        await readFile(join(ROOT, SCRIPT, name), "utf8"),
      );
    }
    expect(await machine.run(["live", "status", ...words], BARE)).toMatchObject({
      stdout: expect.stringContaining("current"),
    });
  });

  test("settings for other programs on Node don't reach it", async () => {
    await using machine = await makeMachine([program]);
    const { status } = await machine.run(["--version"], {
      ...BARE,
      NODE_OPTIONS: "--no-such-option",
    });
    expect(status).toBe(0);
  });

  test("the same sources give the same bytes, which contain no folder of this computer", async () => {
    const again = join(await temporaryFolder(), "elsewhere", "again");
    await makeExecutable(await bundleApp(), process.execPath, again);
    const bytes = await readFile(again);
    expect(bytes.equals(await readFile(program))).toBe(true);
    for (const place of [ROOT, folder]) expect(bytes.includes(place)).toBe(false);
  });
});

test("[K8] the zip has the license of every package in the app, and can be started once unpacked", async () => {
  const { packages } = await bundleApp();
  expect(packages).toEqual(
    expect.arrayContaining(["@noble/hashes", "commander", "fastify", "preact", "ws"]),
  );
  const program = new TextEncoder().encode("program");
  const [system] = SYSTEMS;
  if (system === undefined) throw new Error("There is no system.");
  const zipped = await packApp(program, system, packages);
  expect(Buffer.from(await packApp(program, system, packages)).equals(zipped)).toBe(true);
  const files = unzipSync(zipped);
  expect(strFromU8(files["Soundferry/Soundferry"] ?? program.subarray(0, 0))).toBe("program");
  const licenses = strFromU8(files["Soundferry/THIRD-PARTY-LICENSES.txt"] ?? program);
  const named = [...licenses.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name]) => name);
  expect(named).toEqual(packages.toSorted());
  expect(strFromU8(files["Soundferry/NODE-LICENSE.txt"] ?? program)).toContain("OpenSSL");
  // The first entry of the zip's directory: made on Unix, and its owner may run it.
  const directory = Buffer.from(zipped).subarray(Buffer.from(zipped).indexOf("PK\u0001\u0002"));
  expect([directory[5], directory.readUInt16LE(40).toString(8)]).toEqual([3, "100755"]);
});

test("[K8] each system's Node is pinned, in the version that builds the app", async () => {
  const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8"));
  expect(SYSTEMS.map(({ name }) => name)).toContain("windows-x64");
  for (const { nodePackage } of SYSTEMS) {
    expect(packages[`node_modules/${nodePackage}`]).toMatchObject({
      version: process.versions.node,
      integrity: expect.stringMatching(/^sha512-/),
    });
  }
});
