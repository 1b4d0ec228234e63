import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Outbox } from "../../../addon/relay/outbox.ts";
import { RelayError, RelayUnreachableError } from "../../../addon/relay/relay-errors.ts";
import type { SoundResults } from "../../../core/protocol/package-status.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const HERE = { relayUrl: "http://a.test" };
const DONE: SoundResults = { kick: { status: "imported", track: "Kick (Looper)" } };
const FAILED: SoundResults = { kick: { status: "failed", error: "No." } };

function relay(answer: (packageId: string) => Error | undefined = () => undefined) {
  const reported: [string, SoundResults][] = [];
  return {
    ...HERE,
    reported,
    report: async (packageId: string, results: SoundResults) => {
      reported.push([packageId, results]);
      const error = answer(packageId);
      if (error !== undefined) throw error;
      return { status: "imported" as const };
    },
  };
}

async function setUp() {
  const folder = join(await temporaryFolder(), "outbox");
  return { folder, open: () => new Outbox(folder) };
}

test("[R2] reports survive a restart and are sent once", async () => {
  const { open } = await setUp();
  await open().put("pkg_a", DONE, HERE);
  const there = relay();
  expect(await open().flush(there)).toBe(0);
  expect(await open().flush(there)).toBe(0);
  expect(there.reported).toEqual([["pkg_a", DONE]]);
});

test.each([
  ["does not answer", new RelayUnreachableError("Nothing answers.")],
  ["has trouble of its own", new RelayError(500, "Something went wrong.")],
  ["does not know the importer", new RelayError(401, "Unknown.")],
  ["wants fewer calls", new RelayError(429, "Too many.")],
])("[R2] results stay while the relay %s", async (_, error) => {
  const { open } = await setUp();
  const outbox = open();
  await outbox.put("pkg_a", DONE, HERE);
  expect(await outbox.flush(relay(() => error))).toBe(1);
  await expect(
    outbox.deliver(
      "pkg_a",
      relay(() => error),
    ),
  ).rejects.toBe(error);
  expect(await outbox.packageIds(HERE)).toEqual(["pkg_a"]);
  expect(await outbox.flush(relay())).toBe(0);
});

test("[R2][S9] results for a package that the relay no longer has are dropped", async () => {
  const { open } = await setUp();
  await open().put("pkg_a", DONE, HERE);
  expect(await open().flush(relay(() => new RelayError(404, "There is no such package.")))).toBe(0);
  expect(await open().packageIds(HERE)).toEqual([]);
});

test("[R2] a failed delivery doesn't block others", async () => {
  const { open } = await setUp();
  const outbox = open();
  for (const id of ["pkg_a", "pkg_b", "pkg_c"]) await outbox.put(id, DONE, HERE);
  const there = relay((id) => (id === "pkg_a" ? new RelayError(500, "No.") : undefined));
  expect(await outbox.flush(there)).toBe(1);
  expect(there.reported).toHaveLength(3);
  expect(await outbox.packageIds(HERE)).toEqual(["pkg_a"]);
});

test("[R2][P9] results go to the relay that the package came from and to no other", async () => {
  const { open } = await setUp();
  await open().put("pkg_a", DONE, HERE);
  const other = { ...relay(), relayUrl: "http://b.test" };
  expect(await open().flush(other)).toBe(0);
  await open().deliver("pkg_a", other);
  expect(other.reported).toEqual([]);
  const right = relay();
  await open().flush(right);
  expect(right.reported).toHaveLength(1);
});

test("[R2] newer results that are put during a delivery are delivered, too", async () => {
  const { open } = await setUp();
  const outbox = open();
  await outbox.put("pkg_a", FAILED, HERE);
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slow = {
    ...HERE,
    report: async () => {
      reached.resolve();
      await gate.promise;
      return { status: "failed" as const };
    },
  };
  const delivery = outbox.deliver("pkg_a", slow);
  await reached.promise;
  await outbox.put("pkg_a", DONE, HERE);
  gate.resolve();
  await delivery;
  const there = relay();
  await outbox.flush(there);
  expect(there.reported).toEqual([["pkg_a", DONE]]);
});

test("[R2] any id of a package or sound is safe", async () => {
  const { folder, open } = await setUp();
  const results: Record<string, SoundResults[string]> = Object.create(null);
  results["__proto__"] = { status: "skipped", error: "No." };
  results["constructor"] = { status: "imported" };
  for (const id of ["../../evil", "__proto__", "a/b", "CON", "pkg_\u0000"]) {
    await open().put(id, results, HERE);
  }
  expect(await readdir(folder)).toHaveLength(5);
  expect(await readdir(join(folder, ".."))).toEqual(["outbox"]);
  const there = relay();
  await open().flush(there);
  expect(there.reported.map(([id]) => id).sort()).toEqual(
    ["../../evil", "__proto__", "a/b", "CON", "pkg_\u0000"].sort(),
  );
  for (const [, reported] of there.reported)
    expect(JSON.stringify(reported)).toBe(JSON.stringify(results));
});

test("[R2] ignores foreign files", async () => {
  const { folder, open } = await setUp();
  await mkdir(folder);
  await writeFile(join(folder, "pkg_x.json"), "{");
  await writeFile(join(folder, "pkg_y.json.new"), "{}");
  await open().put("pkg_a", DONE, HERE);
  expect(await open().flush(relay())).toBe(0);
});
