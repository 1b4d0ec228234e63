import { join } from "node:path";
import { expect, test } from "vitest";
import { makeMachine } from "./run-soundferry.ts";

const ROOT = join(import.meta.dirname, "../..");
const DISK = join(ROOT, "test/sim/faulty-disk.ts");

test("[Z13][R3] the commands work on a disk without flushes of folders and links, and name each folder once", async () => {
  const program = [process.execPath, "--import", DISK, join(ROOT, "cli/soundferry.ts")] as const;
  await using machine = await makeMachine(program);
  const faults = [
    { call: "flush folder", code: "EINVAL" },
    { call: "link", code: "EPERM" },
  ];
  const [data, importer] = [join(machine.home, "relay"), join(machine.home, "importer")];
  const [sounds, backups] = [join(machine.home, "sounds"), join(machine.home, "backups")];
  const environment = {
    FAULTY_DISK: JSON.stringify(faults),
    SOUNDFERRY_DATA: data,
    SOUNDFERRY_IMPORTER_DATA: importer,
    SOUNDFERRY_SOUNDS: sounds,
  };
  const up = machine.start(["up", "--host", "preview", "--json"], environment);
  await up.until(({ stdout, stderr }) => stdout !== "" && stderr.includes(`${sounds} is on`));
  const kit = join(ROOT, "fixtures/packages/one-shot-kit");
  const imported = await machine.run(["importer", "import", kit], environment);
  expect([imported.status, imported.stdout]).toEqual([0, expect.stringContaining("10 sounds")]);
  const backup = await machine.run(["relay", "backup", backups], environment);
  expect(backup).toMatchObject({ status: 0, stderr: expect.stringContaining(`${backups} is on`) });
  up.interrupt();
  const { stderr } = await up.ended;
  for (const folder of [data, importer, sounds]) {
    expect(stderr.split(`${folder} is on a file system that can't flush folders.`)).toHaveLength(2);
  }
});
