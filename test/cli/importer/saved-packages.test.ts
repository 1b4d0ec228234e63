import { join } from "node:path";
import { expect, test } from "vitest";
import { makeMachine } from "../run-soundferry.ts";

const KIT = join(import.meta.dirname, "../../../fixtures/packages/half-beat-lengths");
const NO_RELAY = ["--relay-url", "http://127.0.0.1:9"];

test("[F10][K5] importer packages lists what only the sounds folder has, with the id that importer import takes", async () => {
  await using machine = await makeMachine();
  const run = (...words: readonly string[]) =>
    machine.runInside(["importer", ...words, ...NO_RELAY]);
  const imported = await run("import", KIT, "--host", "dawproject", "--json");
  const [{ tracks, folder }] = JSON.parse(imported.stdout).packages;
  for (const { path, file } of tracks) expect(join(folder, "..", path)).toBe(join(folder, file));

  const listed = JSON.parse((await run("packages", "--json")).stdout);
  expect(listed).toMatchObject({ packages: [], local: [] });
  expect(listed.saved).toMatchObject([{ folder, manifest: { title: expect.any(String) } }]);
  const [{ package_id: id }] = listed.saved;
  expect((await run("packages")).stdout).toMatch(
    new RegExp(`^${id} .* sounds folder .* imported$`, "m"),
  );
  const again = await run("import", id, "--host", "dawproject", "--json");
  expect(JSON.parse(again.stdout).packages).toMatchObject([{ package_id: id, status: "imported" }]);
  const shown = await run("import", id, "--host", "dawproject");
  expect(shown.stdout).toContain(tracks[0].path);
  expect(JSON.parse((await run("import", "--all", "--json")).stdout).packages).toEqual([]);
});
