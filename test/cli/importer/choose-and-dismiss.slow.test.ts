import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeMachine, type Machine } from "../run-soundferry.ts";

const KIT = join(import.meta.dirname, "../../../fixtures/packages/one-shot-kit");

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
    const elsewhere = await machine.runInside([
      ...importing,
      "--host",
      "dawproject",
      "--same-tracks",
    ]);
    expect(elsewhere).toMatchObject({ status: 1 });
    expect(elsewhere.stderr).toContain("This host can't import on the same tracks.");
    const wrong = await machine.runInside(["importer", "import", "--all", "--same-tracks"]);
    expect(wrong.status).toBe(2);
  },
);
