import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { smallWav } from "../../wav-bytes.ts";
import { makeMachine, type Machine } from "../run-soundferry.ts";
import { acceptFolder } from "./check/check-folders.ts";
import { TWO_HITS, writeManifest, writePackage } from "./package-folders.ts";

/** A library of an accepted package and one that differs. */
async function setUp() {
  const machine = await makeMachine();
  const library = join(machine.home, "library");
  for (const name of ["good", "loud"]) {
    const folder = await writePackage(join(library, name), { title: name, items: TWO_HITS });
    await acceptFolder(folder);
  }
  const louder = TWO_HITS.map((item) => Object.assign({}, item, { gain_db: -9 }));
  await writeManifest(join(library, "loud"), { title: "loud", items: louder });
  return { machine, library };
}

async function check(machine: Machine, words: readonly string[], github = {}) {
  return machine.runInside(["layout", "--check", ...words], {
    GITHUB_WORKSPACE: "",
    GITHUB_STEP_SUMMARY: "",
    ...github,
  });
}

test("[B10] all reports say the same, and are written also when layouts differ", async () => {
  const { machine, library } = await setUp();
  await using _ = machine;
  const [junit, html, summary] = ["junit.xml", "page.html", "summary.md"].map((name) =>
    join(machine.home, "reports", name),
  ) as [string, string, string];
  const words = [library, "--junit", junit, "--html", html, "--github"];
  await mkdir(join(machine.home, "reports"));
  await writeFile(summary, "Before.\n");
  const environment = { GITHUB_WORKSPACE: machine.home, GITHUB_STEP_SUMMARY: summary };
  const { status, stdout, stderr } = await check(machine, words, environment);
  expect([status, stderr]).toEqual([1, ""]);
  const [stop = "", ...lines] = stdout.trimEnd().split("\n");
  const token = stop.replace("::stop-commands::", "");
  expect(token).toMatch(/^[\da-f-]{36}$/);
  const end = lines.indexOf(`::${token}::`);
  expect(lines.slice(0, end).at(-2)).toBe("2 packages, 4 sounds: 1 match, 1 different.");
  expect(lines.slice(end + 1)).toEqual([
    expect.stringMatching(
      /^::error file=library\/loud\/manifest\.json,line=1,col=\d+,title=loud \(App\)::Hit: Gain: −3 dB → −9 dB$/,
    ),
    expect.stringMatching(/::Tick: Gain: 0 dB → −9 dB$/),
  ]);

  const xml = await readFile(junit, "utf8");
  expect(XMLValidator.validate(xml)).toBe(true);
  const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(xml);
  expect(testsuites).toMatchObject({ "@_tests": "6", "@_failures": "2", "@_errors": "0" });
  expect(testsuites.testsuite[1].testcase).toMatchObject([
    { "@_name": "Package" },
    { "@_name": "Hit", failure: { "@_message": "Gain: −3 dB → −9 dB" } },
    { "@_name": "Tick", failure: { "@_message": "Gain: 0 dB → −9 dB" } },
  ]);

  const markdown = await readFile(summary, "utf8");
  expect(markdown).toMatch(/^Before\.\n## Some layouts differ/);
  expect(markdown).toContain("| Hit | Gain | −3 dB | −9 dB | 1 |");
  expect(markdown).not.toContain("good");

  const page = await readFile(html, "utf8");
  expect(page).toContain("2 packages, 4 sounds: 1 match, 1 different.");
  expect(page.match(/<section class="package"/g)).toHaveLength(1);
  expect(page.match(/src="data:audio\/wav;base64,/g)).toHaveLength(2);
  expect(await readdir(join(machine.home, "reports"))).toEqual([
    "junit.xml",
    "page.html",
    "summary.md",
  ]);
});

test("[B10] a library that matches has reports, too", async () => {
  const { machine, library } = await setUp();
  await using _ = machine;
  const [junit, html] = [join(machine.home, "a/junit.xml"), join(machine.home, "b/page.html")];
  const good = join(library, "good");
  const { status, stdout } = await check(machine, [good, "--junit", junit, "--html", html]);
  expect([status, stdout]).toEqual([0, "1 package, 2 sounds: 1 match.\n"]);
  expect(await readFile(junit, "utf8")).toContain('tests="3" failures="0" errors="0"');
  expect(await readFile(html, "utf8")).toContain("<h1>All layouts are as accepted</h1>");
});

test("[B10][K1] with --json stdout is one value, and GitHub reads the commands from stderr", async () => {
  const { machine, library } = await setUp();
  await using _ = machine;
  const { stdout, stderr } = await check(machine, [library, "--github", "--json"]);
  const file = join(library, "loud", "manifest.json");
  expect(JSON.parse(stdout).packages[1].differences).toEqual([
    { sound: "1", setting: "gain_db", accepted: -3, now: -9, file, line: 1, column: 129 },
    { sound: "2", setting: "gain_db", accepted: 0, now: -9, file, line: 1, column: 193 },
  ]);
  expect(stderr.split("\n").filter((line) => line.startsWith("::error file="))).toHaveLength(2);
});

test("[B10][B9] findings are warnings and output, and with --strict errors and failures", async () => {
  const { machine, library } = await setUp();
  await using _ = machine;
  const good = join(library, "good");
  await writeFile(join(good, "hit.wav"), smallWav({ frames: 4410 }));
  await acceptFolder(good);
  const junit = join(machine.home, "junit.xml");
  const run = async (...words: readonly string[]) => {
    const all = [good, "--github", "--junit", junit, ...words];
    const { status, stdout } = await check(machine, all, { GITHUB_WORKSPACE: library });
    const commands = stdout.split("\n").filter((line) => /^::(error|warning)/.test(line));
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(
      await readFile(junit, "utf8"),
    );
    return { status, commands, hit: testsuites.testsuite.testcase[1] };
  };
  const command = "file=good/manifest.json,line=1,col=79,title=good (App)::Hit is silent.";
  const line = `${join(good, "manifest.json")}:1:79: is silent.`;
  expect(await run()).toMatchObject({
    status: 0,
    commands: [`::warning ${command}`],
    hit: { "@_name": "Hit", "system-out": line },
  });
  expect(await run("--strict")).toMatchObject({
    status: 1,
    commands: [`::error ${command}`],
    hit: { failure: { "@_message": "is silent.", "#text": line } },
  });
});

test("[B10] paths are relative to the workspace, also one behind a link", async () => {
  const { machine, library } = await setUp();
  await using _ = machine;
  const path = async (GITHUB_WORKSPACE: string, folder: string) => {
    const { stdout } = await check(machine, [folder, "--github"], { GITHUB_WORKSPACE });
    // A comma in the checkout's own path is escaped.
    return decodeURIComponent(/^::error file=([^,]*)/m.exec(stdout)?.[1] ?? "");
  };
  const loud = join(library, "loud");
  expect(await path(machine.home, loud)).toBe("library/loud/manifest.json");
  expect(await path(machine.home, relative(process.cwd(), loud))).toBe(
    "library/loud/manifest.json",
  );
  expect(await path(loud, loud)).toBe("manifest.json");
  // Outside, nothing is better than the path as it was given.
  expect(await path(join(library, "good"), loud)).toBe(join(loud, "manifest.json"));
  expect(await path("", relative(process.cwd(), loud))).toBe(
    join(relative(process.cwd(), loud), "manifest.json"),
  );
});

test("[B10] a report that can't be written fails with a sentence, and all others are written", async () => {
  const { machine, library } = await setUp();
  await using _ = machine;
  const good = join(library, "good");
  const inFile = join(good, "manifest.json", "x");
  const junit = join(machine.home, "junit.xml");
  const one = await check(machine, [good, "--html", inFile, "--junit", junit]);
  expect(one).toMatchObject({
    status: 1,
    stdout: "1 package, 2 sounds: 1 match.\n",
    stderr: `${inFile} can't be written.\n`,
  });
  expect(await readFile(junit, "utf8")).toContain("<testsuites");
  const two = await check(machine, [good, "--github", "--junit", library], {
    GITHUB_STEP_SUMMARY: inFile,
  });
  expect(two).toMatchObject({
    status: 1,
    stderr: `${library} can't be written.\n${inFile} can't be written.\n`,
  });
  expect(await readdir(machine.home)).not.toContain("library.new");
  // Node tries for ever to create a folder there.
  const nowhere = "/proc/none/x.html";
  const { stderr } = await check(machine, [good, "--html", nowhere]);
  expect(stderr).toBe(`${nowhere} can't be written.\n`);
  const json = await check(machine, [good, "--json", "--junit", inFile]);
  expect(JSON.parse(json.stdout).packages).toMatchObject([{ same: true }]);
  expect(json.status).toBe(1);
});

test.each([
  [["--junit", "x.xml"], "--junit needs --check."],
  [["--github"], "--github needs --check."],
  [["--update", "--html", "x.html"], "--html needs --check."],
  [["--check", "--base", "."], "--base needs --html."],
  [["--check", "--html", "x.html", "--base", "nowhere"], "There is no folder nowhere."],
])("[B10] %j is wrong use, and nothing is written", async (words, sentence) => {
  const { machine, library } = await setUp();
  await using _ = machine;
  const { status, stderr, stdout } = await machine.runInside(["layout", library, ...words]);
  expect([status, stderr, stdout]).toEqual([2, `${sentence}\n`, ""]);
});
