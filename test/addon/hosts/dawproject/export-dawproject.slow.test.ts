import { existsSync } from "node:fs";
import { cp, readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeLocalPackage } from "../../importer-at-work.ts";
import { until } from "../../../sim/until.ts";
import { makeMachine } from "../../../cli/run-soundferry.ts";
import { smallWav } from "../../../wav-bytes.ts";

const SOUND_BYTES = 190_000_000;
const PACKAGES = 15;

test("[D7] Ctrl-C during the write leaves no file", async () => {
  await using machine = await makeMachine();
  const library = join(machine.home, "library");
  const wav = smallWav({ frames: 1 });
  wav.writeUInt32LE(SOUND_BYTES - 8, 4);
  wav.writeUInt32LE(SOUND_BYTES - 44, 40);
  const first = await writeLocalPackage(join(library, "0"), "Kit", ["Kick"]);
  await writeFile(join(first, "Kick.wav"), wav);
  for (let number = 0; number < PACKAGES; number += 1) {
    const folder = join(library, String(number));
    if (folder !== first) await cp(first, folder, { recursive: true });
  }
  // Takes no place on the disk.
  const packages = await readdir(library);
  for (const name of packages) await truncate(join(library, name, "Kick.wav"), SOUND_BYTES);

  const path = join(machine.home, "out.dawproject");
  const command = machine.start(["layout", library, "--dawproject", path]);
  await until(async () => existsSync(`${path}.new`));
  command.interrupt();
  expect(await command.ended).toMatchObject({ status: 1, stdout: "", stderr: "Stopped.\n" });
  expect(await readdir(machine.home)).not.toContain("out.dawproject.new");
  expect(existsSync(path)).toBe(false);
});
