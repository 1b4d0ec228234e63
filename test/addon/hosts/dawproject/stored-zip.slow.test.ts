import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StoredZip } from "../../../../addon/hosts/dawproject/stored-zip.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

test("[D8] refuses more files than a ZIP can count", async () => {
  const path = join(await temporaryFolder(), "a.zip");
  await using file = await open(path, "w");
  // Writes take long in such numbers, and are not what is tested.
  const zip = new StoredZip(
    new Proxy(file, {
      get: (target, key) =>
        key === "write"
          ? async (bytes: Uint8Array) => ({ bytesWritten: bytes.length })
          : Reflect.get(target, key),
    }),
  );
  for (let count = 0; count < 65_535; count += 1) await zip.add(String(count), []);
  await expect(zip.add("one more", [])).rejects.toThrow(/can't hold more than 65533 sounds/);
});
