import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeMachine, runOnce, type Machine } from "./run-soundferry.ts";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir } from "node:fs/promises";
import { IN_PREVIEW } from "../../addon/hosts/preview/preview-host.ts";
import { appWords } from "../../cli/run-command.ts";
import { StandInSurface } from "../addon/hosts/live/remote-script/stand-in-surface.ts";

const KIT = join(import.meta.dirname, "../../fixtures/packages/one-shot-kit");
const NO_ANSWER =
  "Live doesn't answer. Open Live and choose Soundferry under Settings → Link, Tempo & MIDI; " +
  "`soundferry live status` says more.";

describe("importer import --host", () => {
  test("[K2][R9] live fails once, with what to do, where Live doesn't answer", async () => {
    await using machine = await makeMachine();
    for (const words of [[KIT, KIT], ["--all"]]) {
      const how = ["importer", "import", ...words, "--host", "live"];
      const { status, stdout, stderr } = await machine.runInside(how);
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: "",
        stderr: `${NO_ANSWER}\n`,
      });
    }
    const json = await machine.runInside(["importer", "import", KIT, "--host", "live", "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({ error: NO_ANSWER, code: "HOST_NOT_READY" });
    expect(json.status).toBe(1);
  });

  test("[K2][R9] preview imports into the preview, and its sounds say so", async () => {
    const how = ["importer", "--host", "preview", "import", KIT, "--json"];
    const { status, stdout } = await runOnce(how);
    expect(status).toBe(0);
    const { packages } = JSON.parse(stdout);
    expect(packages).toMatchObject([{ status: "imported" }]);
    for (const { notes } of packages[0].tracks) expect(notes).toContain(IN_PREVIEW);
  });

  test.each([[["--host", "folder"]], [[]]])(
    "[K2][R16] saves where nobody named Live, and says where: %j",
    async (flags) => {
      await using machine = await makeMachine();
      const { status, stdout } = await machine.runInside(["importer", ...flags, "import", KIT]);
      expect(status).toBe(0);
      const [, folder = ""] = /^Saved\. .*: 10 of 10 sounds\. Files: (.+)$/m.exec(stdout) ?? [];
      const wavs = (await readdir(folder)).filter((name) => name.endsWith(".wav"));
      expect(wavs).toHaveLength(10);
      expect(stdout).toContain("All: Saved as files; not placed in a Set.");
      expect(stdout.includes("import it again while Live is open")).toBe(flags.length === 0);
    },
  );

  test("[K2][R16] --all saves what is in the inbox once, and importer packages says so", async () => {
    await using machine = await makeMachine();
    const inbox = join(machine.home, "inbox");
    await cp(KIT, join(inbox, "Kit"), { recursive: true });
    const run = (...words: readonly string[]) =>
      machine.runInside(["importer", ...words], { SOUNDFERRY_INBOX: inbox });
    expect((await run("packages")).stdout).toMatch(/Kitchen Kit +inbox +10 +waiting/);
    const saved = await run("import", "--all");
    expect(saved.stdout).toMatch(/^Saved\. /);
    expect(saved.stderr).not.toContain("placed");
    expect((await run("packages")).stdout).toMatch(/Kitchen Kit +inbox +10 +saved/);
    expect((await run("import", "--all")).stdout).toBe("Nothing was imported.\n");
  });

  test("[K2][R9] a running importer saves until Live answers; only a call that names Live fails", async () => {
    await using machine = await makeMachine();
    const running = machine.start(["importer", "--host", "live", "--json"]);
    await running.until(({ stdout }) => stdout.endsWith("\n"));
    expect(JSON.parse(running.stdout)).toMatchObject({ host: "folder" });
    await running.until(({ stderr }) => stderr.includes(`${NO_ANSWER} Until then, imports are`));
    const there = await machine.runInside(["importer", "import", KIT, "--host", "live"]);
    expect(there).toMatchObject({ status: 1, stderr: `${NO_ANSWER}\n` });
    expect((await machine.runInside(["importer", "import", KIT])).stdout).toMatch(/^Saved\. /);
    await running.until(({ stderr }) => stderr.includes("Saved. Kitchen Kit"));
    const { stdout } = await machine.runInside(["importer", "import", KIT, "--host", "preview"]);
    expect(stdout).toContain("10 of 10 sounds imported");
  });
});

describe("up --host", () => {
  test("[K2][R16] live starts, and saves until Live answers", async () => {
    await using machine = await makeMachine();
    const up = machine.start(["up", "--host", "live"]);
    await up.until(({ stdout }) => stdout.includes("pairing code"));
    expect(up.stdout).toMatch(/Relay +http:\/\/127\.0\.0\.1:\d+/);
    expect(up.stdout).toMatch(/Imports into +Sounds folder, until Live answers/);
    await up.until(({ stderr }) => stderr.includes(NO_ANSWER));
  });

  test("[K2][K3] with any other value is the relay's address, also beside an importer's host", async () => {
    const away = ["--host", "203.0.113.7"];
    for (const flags of [away, [...away, "--host", "live"], ["--host", "live", ...away]]) {
      const { status, stderr } = await runOnce(["up", ...flags]);
      expect(stderr).toContain("203.0.113.7 is not an address of this computer.");
      expect(status).toBe(1);
    }
  });

  test("[K2][K8][R16] as the app starts it, a package on arrival is saved, and its sender reads that", async () => {
    await using machine = await makeMachine();
    const words = appWords(["--auto-import", "--code", "K7MQ2X", "--json", "--no-open"]);
    const up = machine.start(words);
    await up.until(({ stdout }) => stdout.endsWith("\n"));
    const { relay_url: relay, host, preview_session: session } = JSON.parse(up.stdout);
    expect(host).toBe("folder");
    const sent = await machine.runInside(["send", KIT, "--relay", relay, "--code", "K7MQ2X"]);
    expect(sent.status).toBe(0);
    expect(sent.stdout).toMatch(/Kick Short +saved +– +Kitchen Kit\/Kick Short\.wav/);
    expect(sent.stdout).toContain("All: Saved as files; not placed in a Set.");
    expect(existsSync(session)).toBe(false);
  });

  test("[K2] prints the host that it chose", async () => {
    await using machine = await makeMachine();
    const up = machine.start(["up", "--json"], { SOUNDFERRY_HOST: "127.0.0.1" });
    await up.until(({ stdout }) => stdout.endsWith("\n"));
    expect(JSON.parse(up.stdout)).toMatchObject({ host: "preview" });
  });
});

/** A machine with a folder in which a control surface can say where it listens. */
async function liveMachine() {
  const machine = await makeMachine();
  const folder = join(machine.home, "importer");
  await mkdir(folder);
  const environment = { SOUNDFERRY_IMPORTER_DATA: folder };
  return {
    folder,
    hasPreview: () => existsSync(join(folder, "preview-session.json")),
    run: (...words: readonly string[]) => machine.runInside(words, environment),
    start: (...words: readonly string[]) => machine.start(words, environment),
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  };
}

describe("while Live's control surface answers", () => {
  test.each([[[]], [["--host", "live"]]])(
    "[K2][R9] importer import goes into Live, and then ends: %j",
    async (flags) => {
      await using machine = await liveMachine();
      const surface = await StandInSurface.start(machine.folder);
      const { status, stdout } = await machine.run("importer", "import", KIT, ...flags);
      expect(stdout).toContain("10 of 10 sounds imported");
      expect(status).toBe(0);
      expect(surface.set.tracks).toHaveLength(10);
      expect(machine.hasPreview()).toBe(false);
    },
  );

  test("[K2][R9] --host preview goes into the preview", async () => {
    await using machine = await liveMachine();
    const surface = await StandInSurface.start(machine.folder);
    const { status } = await machine.run("importer", "import", KIT, "--host", "preview");
    expect(status).toBe(0);
    expect(surface.set.tracks).toHaveLength(0);
    expect(machine.hasPreview()).toBe(true);
  });

  test("[K2][R9] up says when imports begin to go into Live, and when they no longer do", async () => {
    await using machine = await liveMachine();
    const up = machine.start("up", "--json");
    await up.until(({ stdout }) => stdout.endsWith("\n"));
    expect(JSON.parse(up.stdout)).toMatchObject({ host: "preview" });
    const surface = await StandInSurface.start(machine.folder, { edition: "Standard" });
    await up.until(({ stderr }) => /Imports now go into Live \S+ Standard\./.test(stderr));
    expect((await machine.run("importer", "import", KIT)).status).toBe(0);
    expect(surface.set.tracks).toHaveLength(10);
    await surface.quit();
    await up.until(({ stderr }) => stderr.includes("Imports now go into Preview."));
    expect((await machine.run("importer", "import", KIT)).status).toBe(0);
    expect(surface.set.tracks).toHaveLength(10);
    expect(machine.hasPreview()).toBe(true);
  });
});

test("[K2][R9] a control surface that says nothing counts as none", async () => {
  await using machine = await liveMachine();
  await StandInSurface.start(machine.folder, { silent: true });
  expect((await machine.run("importer", "import", KIT, "--host", "live")).status).toBe(1);
  expect((await machine.run("importer", "import", KIT)).stdout).toMatch(/^Saved\. /);
  expect(machine.hasPreview()).toBe(false);
});

/** The printed value of a command, with its exit status. */
async function json(machine: Machine, words: readonly string[]) {
  const { status, stdout, stderr } = await machine.runInside([...words, "--json"]);
  return { status, value: JSON.parse(stdout), stderr };
}

test.each([{ isRunning: false }, { isRunning: true }])(
  "[R10][R11][K2] --only imports chosen sounds, and the next import the rest: $isRunning",
  async ({ isRunning }) => {
    await using machine = await makeMachine();
    if (isRunning) {
      const running = machine.start(["importer", "--host", "preview", "--json"]);
      await running.until(({ stdout }) => stdout.endsWith("\n"));
    }
    const importing = ["importer", "import", KIT, "--host", "preview"];
    const some = await json(machine, [...importing, "--only", "Kick Deep", "3"]);
    expect(some).toMatchObject({ status: 0, value: { packages: [{ status: "partial" }] } });
    const [first] = some.value.packages;
    const errors = first.tracks.map(({ error }: { error: string | null }) => error);
    expect(errors).toEqual([null, "Not selected in Live.", null, ...Array(7).fill(errors[1])]);
    const wrong = await machine.runInside([...importing, "--only", "Cowbell"]);
    expect(wrong).toMatchObject({ status: 1 });
    expect(wrong.stderr).toContain("The package has no sound Cowbell.");
    const rest = await machine.runInside(importing);
    expect(rest.status).toBe(0);
    expect(rest.stderr).toContain("8 of 8 placed.");
    expect(rest.stdout).toContain("10 of 10 sounds imported");
  },
);

test("[R12][K2] importer dismiss hides a package, lists it as dismissed, and undoes it", async () => {
  await using machine = await makeMachine();
  const inbox = join(machine.home, "inbox");
  await cp(KIT, join(inbox, "Kit"), { recursive: true });
  const environment = { SOUNDFERRY_INBOX: inbox };
  const run = (...words: string[]) => machine.runInside(["importer", ...words], environment);
  const folder = join(inbox, "Kit");
  expect(await run("dismiss", folder)).toMatchObject({
    status: 0,
    stdout: "Kitchen Kit was dismissed.\n",
  });
  expect((await run("packages")).stdout).toMatch(/Kitchen Kit +inbox +10 +dismissed/);
  expect((await run("import", "--all")).stdout).not.toContain("Kitchen Kit");
  const undone = await run("dismiss", "--undo", folder, "--json");
  expect(JSON.parse(undone.stdout)).toMatchObject({
    packages: [{ title: "Kitchen Kit", dismissed: false, report: null }],
  });
  expect((await run("packages")).stdout).toMatch(/Kitchen Kit +inbox +10 +waiting/);
  const missing = await run("dismiss", "pkg_none", folder);
  expect(missing).toMatchObject({ status: 1, stdout: "Kitchen Kit was dismissed.\n" });
  expect(missing.stderr).toMatch(/^pkg_none: /);
});

test.each([{ isRunning: false }, { isRunning: true }])(
  "[R15][K2] --same-tracks imports again onto the tracks that are there: $isRunning",
  async ({ isRunning }) => {
    await using machine = await makeMachine();
    if (isRunning) {
      const running = machine.start(["importer", "--host", "preview", "--json"]);
      await running.until(({ stdout }) => stdout.endsWith("\n"));
    }
    const importing = ["importer", "import", KIT];
    await json(machine, [...importing, "--host", "preview"]);
    const again = await json(machine, [...importing, "--host", "preview", "--same-tracks"]);
    const [outcome] = again.value.packages;
    for (const { notes } of outcome.tracks) {
      expect(notes).toContain("It is on its track from the earlier import.");
    }
    const words = [...importing, "--host=dawproject", "--same-tracks"];
    const elsewhere = await machine.runInside(words);
    expect(elsewhere).toMatchObject({ status: 1 });
    expect(elsewhere.stderr).toContain("This host can't import on the same tracks.");
    const wrong = await machine.runInside(["importer", "import", "--all", "--same-tracks"]);
    expect(wrong.status).toBe(2);
  },
);
