import {
  chmod,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startImporter } from "../../../addon/control/open-importer.ts";
import { PanelKeys } from "../../../addon/control/panel-keys.ts";
import {
  openBrowser,
  type OpenBrowserOptions,
  type Opener,
  openerOf,
} from "../../../cli/commands/importer/open-panel.ts";
import {
  clearPanelFiles,
  panelFileFolders,
  writePanelFile,
} from "../../../cli/commands/importer/panel-file.ts";
import { ask } from "../../addon/control/ask.ts";
import { importerOptions } from "../../addon/importer-at-work.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { soon } from "../../sim/soon.ts";

test.each([
  ["darwin", {}, ["open"]],
  ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
  ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
  ["linux", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
  ["linux", {}, undefined],
  ["linux", { DISPLAY: "" }, undefined],
  ["linux", { DISPLAY: ":0", CI: "true" }, undefined],
  ["darwin", { CI: "1" }, undefined],
  ["darwin", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
  ["win32", { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, undefined],
  ["aix", { DISPLAY: ":0" }, undefined],
])("[K7] on %s with %j, it starts %j", (platform, environment, opener) => {
  expect(openerOf(platform, environment)).toEqual(opener);
});

async function runningPanel() {
  const running = await startImporter(await importerOptions(null));
  onTestFinished(() => running.close());
  return running;
}

async function homeWith(folders: readonly string[]) {
  const home = await temporaryFolder();
  for (const folder of folders) await mkdir(join(home, folder), { recursive: true });
  return { platform: "linux", home, environment: {} };
}

/** A program that notes what it was started with, and goes on until the test ends it. */
async function recorder(): Promise<{ opener: Opener; read: () => Promise<Noted> }> {
  const path = join(await temporaryFolder(), "noted.json");
  const code = `
    const { pid, argv, env } = process;
    require("fs").writeFileSync(${JSON.stringify(path)}, JSON.stringify({ pid, argv, env }) + "\\n");
    setTimeout(() => {}, 30_000);`;
  const read = async (): Promise<Noted> => {
    await soon(() => readFile(path, "utf8").catch(() => "")).toMatch(/\n$/);
    const noted = JSON.parse(await readFile(path, "utf8")) as Noted;
    onTestFinished(() => void process.kill(noted.pid));
    return noted;
  };
  return { opener: [process.execPath, "-e", code], read };
}

interface Noted {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function saying(more: Partial<OpenBrowserOptions> & Pick<OpenBrowserOptions, "opener" | "place">) {
  const said: string[] = [];
  const output = { say: (line: string) => void said.push(line) };
  return { said, options: { output, hasTerminal: true, arrivalMs: 600_000, ...more } };
}

const keyIn = (text: string): string => /#open=([\w-]{22})/.exec(text)?.[1] ?? "";
const session = (port: number, key: string, headers = {}) =>
  ask(port, {
    method: "POST",
    path: "/control/panel-session",
    headers: { "x-soundferry-secret": undefined, ...headers },
    body: { key },
  });

describe("the panel's key", () => {
  test("[N29] is in a file of the user alone, in no argument and no variable of a program", async () => {
    const { port, secret } = await runningPanel();
    const place = await homeWith(["Downloads"]);
    const { opener, read } = await recorder();
    const { options, said } = saying({ opener, place });
    await using opening = await openBrowser({ port, secret }, options);
    const { pid, argv, env } = await read();
    const path = argv.at(-1) ?? "";
    expect(path).toMatch(
      new RegExp(`^${place.home}/Downloads/soundferry-panel-[\\w-]{22}\\.html$`),
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const html = await readFile(path, "utf8");
    const key = keyIn(html);
    expect(html).toContain(`location.replace("http://127.0.0.1:${port}/#open=${key}")`);
    expect(html).toContain('<meta name="referrer" content="no-referrer">');
    const shown = [JSON.stringify([argv, env])];
    if (process.platform === "linux") {
      shown.push(await readFile(`/proc/${pid}/cmdline`, "latin1"));
      shown.push(await readFile(`/proc/${pid}/environ`, "latin1"));
    }
    for (const text of shown)
      expect([text.includes(secret), text.includes(key)]).toEqual([false, false]);
    expect(html).not.toContain(secret);

    expect((await session(port, key)).json).toEqual({ secret });
    await opening.done;
    expect(await readdir(join(place.home, "Downloads"))).toEqual([]);
    expect((await session(port, key)).status).toBe(403);
    expect(said).toEqual([]);
  });

  test.each([
    ["isn't there", ["/no/such/browser"]],
    ["fails", [process.execPath, "-e", "process.exitCode = 3"]],
  ] as const)(
    "[K7][N29] where the browser %s, the terminal gets an address for one use",
    async (_, opener) => {
      const { port, secret } = await runningPanel();
      const place = await homeWith([]);
      const { options, said } = saying({ opener, place });
      await using opening = await openBrowser({ port, secret }, options);
      await opening.done;
      expect(said).toHaveLength(1);
      const [line = ""] = said;
      expect(line).toContain(`once, within 10 minutes: http://127.0.0.1:${port}/#open=`);
      expect(line).not.toContain(secret);
      expect((await session(port, keyIn(line))).json).toEqual({ secret });
      expect((await session(port, keyIn(line))).status).toBe(403);
      expect(await readdir(place.home)).toEqual([]);
    },
  );

  test("[N29] where the browser doesn't arrive, the address is said once, and the file stays for a slow one", async () => {
    const { port, secret } = await runningPanel();
    const place = await homeWith([]);
    const { opener, read } = await recorder();
    const { options, said } = saying({ opener, place, arrivalMs: 0 });
    await using opening = await openBrowser({ port, secret }, options);
    const { argv } = await read();
    await soon(() => said.length).toBe(1);
    const key = keyIn(await readFile(argv.at(-1) ?? "", "utf8"));
    expect(keyIn(said[0] ?? "")).not.toBe(key);
    expect((await session(port, key)).status).toBe(200);
    await opening.done;
    expect([said.length, await readdir(place.home)]).toEqual([1, []]);
  });

  test("[N29] without a terminal, no address is said", async () => {
    const { port, secret } = await runningPanel();
    const place = await homeWith([]);
    const { options, said } = saying({ opener: ["/no/such/browser"], place, hasTerminal: false });
    await using opening = await openBrowser({ port, secret }, options);
    await opening.done;
    expect(said).toEqual([expect.stringMatching(/Run this in a terminal: .* importer --open$/)]);
  });

  test("[N29] its file goes when the importer ends, before a browser came", async () => {
    const { port, secret } = await runningPanel();
    const place = await homeWith([]);
    const { opener, read } = await recorder();
    const opening = await openBrowser({ port, secret }, saying({ opener, place }).options);
    await read();
    expect(await readdir(place.home)).toHaveLength(1);
    await opening[Symbol.asyncDispose]();
    expect(await readdir(place.home)).toEqual([]);
  });

  test("[N29] isn't given to other pages, and needs the secret to be made", async () => {
    const { port, secret } = await runningPanel();
    const make = (headers: object) =>
      ask(port, { method: "POST", path: "/control/panel-keys", headers: { ...headers } });
    expect((await make({ "x-soundferry-secret": undefined })).status).toBe(403);
    const { json } = await make({ "x-soundferry-secret": secret });
    const key = String(json?.["key"]);
    expect((await session(port, key, { origin: "https://evil.example" })).status).toBe(403);
    expect((await session(port, key, { host: "evil.example" })).status).toBe(403);
    expect((await session(port, "guess")).status).toBe(403);
    expect((await session(port, key)).json).toEqual({ secret });
  });

  test("[N29] ends after ten minutes, and after 32 newer ones", () => {
    let now = 0;
    const keys = new PanelKeys(() => now);
    const [first, second] = [keys.make(), keys.make()];
    for (let made = 0; made < 31; made += 1) keys.make();
    expect([keys.isUnused(first), keys.isUnused(second)]).toEqual([false, true]);
    now = 10 * 60_000;
    expect(keys.use(second)).toBe(false);
  });
});

describe("the folder of its file", () => {
  const config = async (home: string, line: string) => {
    await mkdir(join(home, ".config"), { recursive: true });
    await writeFile(join(home, ".config", "user-dirs.dirs"), `# comment\n${line}\n`);
  };

  test("[N29] is Downloads on Linux, as the desktop names it, and the home folder elsewhere", async () => {
    const place = await homeWith(["Downloads", "Empfangen"]);
    const { home } = place;
    expect(await panelFileFolders(place)).toEqual([join(home, "Downloads"), home]);
    await config(home, 'XDG_DOWNLOAD_DIR="$HOME/Empfangen"');
    expect(await panelFileFolders(place)).toEqual([join(home, "Empfangen"), home]);
    for (const platform of ["darwin", "win32"])
      expect(await panelFileFolders({ ...place, platform })).toEqual([home]);
  });

  test.each([
    "$HOME",
    "$HOME/",
    "/tmp",
    "$HOME/.hidden",
    "$HOME/a/.b",
    "$HOME/../x",
    "gone",
    "$HOME/gone",
  ])("[N29] is never hidden, missing or outside the home folder: %s", async (named) => {
    const place = await homeWith([".hidden", "a/.b"]);
    await config(place.home, `XDG_DOWNLOAD_DIR="${named}"`);
    expect(await panelFileFolders(place)).toEqual([place.home]);
  });

  test("[N29] takes a file that replaces nothing, and escapes the address", async () => {
    const place = await homeWith([]);
    const file = await writePanelFile('http://127.0.0.1:1/"></script><b>', place);
    const html = await readFile(file?.path ?? "", "utf8");
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(html).toContain('href="http://127.0.0.1:1/&quot;&gt;&lt;/script&gt;&lt;b&gt;"');
    await file?.remove();
    await file?.remove();
    await chmod(place.home, 0o500);
    const isRoot = process.getuid?.() === 0;
    expect((await writePanelFile("http://127.0.0.1:1/", place)) === undefined).toBe(!isRoot);
    await chmod(place.home, 0o700);
  });

  test("[N29] is rid of files that a killed importer left, and of nothing else", async () => {
    const place = await homeWith(["Downloads", "kept"]);
    const at = (name: string) => join(place.home, name);
    const ours = (letter: string) => `soundferry-panel-${letter.repeat(22)}.html`;
    const target = at("kept/precious");
    for (const name of [ours("a"), ours("b"), "soundferry-panel.html", "kept/precious"])
      await writeFile(at(name), "x");
    await writeFile(at(`Downloads/${ours("c")}`), "x");
    await symlink(target, at(ours("d")));
    await mkdir(at(ours("e")));
    const old = new Date(Date.now() - 180_000);
    for (const name of [ours("a"), `Downloads/${ours("c")}`, "soundferry-panel.html"])
      await utimes(at(name), old, old);
    await clearPanelFiles(place);
    expect((await readdir(place.home)).toSorted()).toEqual(
      ["Downloads", "kept", "soundferry-panel.html", ours("b"), ours("d"), ours("e")].toSorted(),
    );
    expect(await readdir(at("Downloads"))).toEqual([]);
    expect(await readFile(target, "utf8")).toBe("x");
  });
});
