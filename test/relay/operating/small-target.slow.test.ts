import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { canMount, PrivateDisk } from "../../sim/private-disk.ts";
import { temporaryFolder } from "../storage/sqlite/open-sqlite.ts";

const SCRIPT = join(import.meta.dirname, "small-target.ts");
const FILES = Array.from({ length: 8 }, (_, place) => `sound ${place}.wav`);

describe.skipIf(!canMount())("on a small disk (needs a mount)", () => {
  test("[Z10] a target without room for the database, for the sounds or for links gets no backup, and a sentence", async () => {
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    await relay.send(token, FILES);
    await relay.stop();
    const { size } = await stat(join(relay.folder, "relay.sqlite"));
    for (const [bytes, isLinked, sentence] of [
      [65_536, false, "There is no space left in"],
      [size + 12_288, false, "There is no space left in"],
      // There is room, but on another file system.
      [4_194_304, true, "Leave out --link"],
    ] as const) {
      const options = JSON.stringify({ dataFolder: relay.folder, isLinked });
      await using target = await temporaryFolder();
      await using disk = await PrivateDisk.mount(target.path, String(bytes));
      const message = await disk.run(process.execPath, SCRIPT, target.path, options);
      expect(message).toContain(sentence);
      expect(message).toContain("Nothing of this backup was kept");
      expect(await readdir(disk.outside)).toEqual(["backup.lock"]);
    }
  });
});
