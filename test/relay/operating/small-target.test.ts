import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canMount, runOnSmallDisk } from "../storage/disk/small-disk.ts";

const SCRIPT = join(import.meta.dirname, "small-target.ts");

describe.skipIf(!canMount())("on a small disk (needs a mount)", () => {
  test.each([
    ["the database", "64k", "copy", "There is no space left in"],
    ["the sounds", "132k", "copy", "There is no space left in"],
    ["links to another file system", "4m", "link", "Leave out --link"],
  ])(
    "[Z10] a target without room for %s gets no backup, and a sentence",
    async (_, size, how, sentence) => {
      const { message, left } = await runOnSmallDisk(SCRIPT, size, [how]);
      expect(message).toContain(sentence);
      expect(message).toContain("Nothing of this backup was kept");
      expect(left).toEqual(["backup.lock"]);
    },
  );
});
