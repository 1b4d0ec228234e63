import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openS3SoundStore } from "../../../../relay/storage/s3/s3-sound-store.ts";
import { type ChecksumHabit, tinyS3 } from "./tiny-s3.ts";

const KEY = "pkg_1/snd_1";
const BYTES = Buffer.from("a sound");
const SHA256 = createHash("sha256").update(BYTES).digest("hex");

/** A store at a service with this habit, with one finished sound. */
async function open(habit: ChecksumHabit) {
  const service = await tinyS3(habit);
  const store = await openS3SoundStore({
    bucket: "sounds",
    endpoint: service.endpoint,
    region: "us-east-1",
    accessKeyId: "key",
    secretAccessKey: "secret",
    onTrouble: () => {},
  });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const writer = await store.create(KEY, { bytes: BYTES.length, sha256: SHA256 });
  await writer.write(Uint8Array.from(BYTES));
  await writer.finish();
  return { ...service, store };
}

test("[Z16] a service that keeps SHA-256 gives that of a sound, without its bytes", async ({
  expect,
}) => {
  const { store, calls } = await open("keeps");
  calls.length = 0;
  expect(await store.checksumOf(KEY)).toBe(SHA256);
  expect(calls).toEqual([`HEAD sounds/${KEY}`]);
  expect(await store.checksumOf("pkg_1/snd_2")).toBeUndefined();
});

test("[Z16] a sound that was replaced by another has another one", async ({ expect }) => {
  const { store, objects } = await open("keeps");
  const checksum = createHash("sha256").update("other").digest("base64");
  objects.set(`sounds/${KEY}`, { body: Buffer.from("other"), checksum });
  expect(await store.checksumOf(KEY)).toBe(Buffer.from(checksum, "base64").toString("hex"));
});

test.for(["ignores", "refuses", "composes"] as const)(
  "[Z16] a service that %s SHA-256 stores sounds, and gives none",
  async (habit) => {
    const { store, calls } = await open(habit);
    expect(await store.sizes([KEY])).toEqual(new Map([[KEY, BYTES.length]]));
    calls.length = 0;
    expect(await store.checksumOf(KEY)).toBeUndefined();
    expect(calls, "asked once, at the start").toEqual([]);
  },
);
