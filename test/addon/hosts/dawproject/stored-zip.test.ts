import { type FileHandle, open, readFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import {
  readZipEntries,
  readZipText,
  StoredZip,
} from "../../../../addon/hosts/dawproject/stored-zip.ts";
import { ZipTooLargeError } from "../../../../core/zip/zip-format.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

async function writeZip(write: (zip: StoredZip, file: FileHandle) => Promise<void>) {
  const path = join(await temporaryFolder(), "a.zip");
  await using file = await open(path, "w+");
  const zip = new StoredZip(file);
  await write(zip, file);
  await zip.finish();
  return path;
}

const KICK = Buffer.from("RIFF and so on");

test("[D8] has size and CRC-32 in the header before each file, and no data descriptor", async () => {
  const path = await writeZip(async (zip) => {
    await zip.add("audio/Grüße.wav", [KICK.subarray(0, 4), KICK.subarray(4)]);
    await zip.add("project.xml", [Buffer.from("<Project/>")]);
  });
  const bytes = await readFile(path);
  const name = Buffer.from("audio/Grüße.wav");
  expect(bytes.readUInt32LE(0)).toBe(0x04034b50);
  expect(bytes.readUInt16LE(6)).toBe(0x0800); // UTF-8, and bit 3 is not set
  expect(bytes.readUInt16LE(8)).toBe(0); // stored
  expect(bytes.readUInt32LE(14)).toBe(crc32(KICK));
  expect(bytes.readUInt32LE(18)).toBe(KICK.length);
  expect(bytes.readUInt32LE(22)).toBe(KICK.length);
  expect(bytes.readUInt16LE(26)).toBe(name.length);
  expect(bytes.readUInt16LE(28)).toBe(0); // no extra field
  expect(bytes.subarray(30, 30 + name.length)).toEqual(name);
  expect(bytes.subarray(30 + name.length).subarray(0, KICK.length)).toEqual(KICK);
  // The next header follows at once.
  expect(bytes.readUInt32LE(30 + name.length + KICK.length)).toBe(0x04034b50);
});

test("[D8] another program unzips it", async () => {
  const path = await writeZip(async (zip) => {
    await zip.add("audio/Grüße.wav", [KICK]);
    await zip.add("empty", []);
  });
  const files = unzipSync(await readFile(path));
  expect(Object.keys(files)).toEqual(["audio/Grüße.wav", "empty"]);
  expect(Buffer.from(files["audio/Grüße.wav"] ?? [])).toEqual(KICK);
  expect(files["empty"]).toHaveLength(0);
});

test("[D8] the same files give the same bytes", async () => {
  const write = () => writeZip((zip) => zip.add("a", [KICK]));
  expect(await readFile(await write())).toEqual(await readFile(await write()));
});

test("[D8] a file that can't be read to its end leaves no trace", async () => {
  async function* breaking() {
    yield Buffer.alloc(10_000, 7);
    throw new Error("gone");
  }
  const path = await writeZip(async (zip) => {
    await zip.add("a", [KICK]);
    await expect(zip.add("b", breaking())).rejects.toThrow("gone");
    await zip.add("c", [KICK]);
  });
  expect(await readFile(path)).toEqual(
    await readFile(
      await writeZip(async (zip) => {
        await zip.add("a", [KICK]);
        await zip.add("c", [KICK]);
      }),
    ),
  );
});

test("[D8] refuses more than 4 GiB in words, and stays usable", async () => {
  const path = await writeZip(async (zip, file) => {
    const huge = { length: 0xffff_ffff } as Uint8Array;
    await expect(zip.add("huge", [huge])).rejects.toThrow(
      new ZipTooLargeError("A DAWproject can't be larger than 4 GiB."),
    );
    await zip.add("a", [KICK]);
    expect((await file.stat()).size).toBeLessThan(100);
  });
  expect(Object.keys(unzipSync(await readFile(path)))).toEqual(["a"]);
});

test("[D7] what it wrote can be read back; what was cut off can not", async () => {
  const path = await writeZip(async (zip) => {
    await zip.add("audio/Grüße.wav", [KICK]);
    await zip.add("project.xml", [Buffer.from("<Grüße/>")]);
  });
  await using file = await open(path, "r+");
  const entries = await readZipEntries(file);
  expect([...entries.keys()]).toEqual(["audio/Grüße.wav", "project.xml"]);
  const entry = entries.get("project.xml");
  if (entry === undefined) throw new Error("There is no project.xml.");
  expect(await readZipText(file, entry)).toBe("<Grüße/>");
  const { size } = await file.stat();
  for (const length of [size - 1, 22, 3, 0]) {
    await truncate(path, length);
    await expect(readZipEntries(file)).rejects.toThrow(/too short|isn't a ZIP|incomplete|damaged/);
  }
});
