import { expect, test } from "vitest";
import { systemDigest, systemRandomBytes } from "../../../relay/storage/system.ts";

// SHA-256 of "abc", from FIPS 180-2.
const ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

test("the digest is SHA-256 in lowercase hex, of a text, of bytes, and piece by piece", async () => {
  const bytes = new TextEncoder().encode("abc");
  for (const sizeBytes of [3, 200_000_000]) {
    const running = systemDigest.start(sizeBytes);
    await running.update(bytes.subarray(0, 1));
    await running.update(bytes.subarray(1, 1));
    await running.update(bytes.subarray(1));
    expect(await running.hex()).toBe(ABC);
  }
  expect([systemDigest.ofText("abc"), systemDigest.ofBytes(bytes)]).toEqual([ABC, ABC]);
  expect(systemDigest.ofText("é")).toBe(systemDigest.ofBytes(new Uint8Array([0xc3, 0xa9])));
});

test("random bytes have the requested count and never repeat", () => {
  const drawn = new Set(Array.from({ length: 100 }, () => systemRandomBytes(32).join()));
  expect(systemRandomBytes(32)).toHaveLength(32);
  expect(drawn.size).toBe(100);
});
