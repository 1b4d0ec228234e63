import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StandInSurface } from "../../addon/hosts/live/remote-script/stand-in-surface.ts";
import { makeMachine } from "../run-soundferry.ts";

const KIT = join(import.meta.dirname, "../../../fixtures/packages/one-shot-kit");

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
  expect((await machine.run("importer", "import", KIT)).status).toBe(0);
  expect(machine.hasPreview()).toBe(true);
});
