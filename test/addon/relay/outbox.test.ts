import { mkdir, readdir, rename, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Outbox, type OutboxOptions } from "../../../addon/relay/outbox.ts";
import { RelayError, RelayUnreachableError } from "../../../core/importer/relay-errors.ts";
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
  return { folder, open: (options: OutboxOptions = {}) => new Outbox(folder, options) };
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
  ["is behind a proxy that has lost it", new RelayError(404, "Refused.")],
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
  expect(await open().flush(relay())).toBe(0);
});

test("[R2][S9] results for a package that the relay no longer has are dropped", async () => {
  const { open } = await setUp();
  await open().put("pkg_a", DONE, HERE);
  const gone = new RelayError(404, "There is no such package.", { code: "PACKAGE_UNKNOWN" });
  expect(await open().flush(relay(() => gone))).toBe(0);
  expect(await open().packageIds(HERE)).toEqual([]);
});

test("[R2] another 404 of the relay drops nothing", async () => {
  const { open } = await setUp();
  const outbox = open();
  await outbox.put("pkg_a", DONE, HERE);
  const other = new RelayError(404, "There is no such file.", { code: "FILE_UNKNOWN" });
  expect(await outbox.flush(relay(() => other))).toBe(1);
});

test("[R2] a report that isn't taken is sent again after 5 s, then ever less often, and at once when asked", async () => {
  const { open } = await setUp();
  const clock = { nowMs: 0 };
  const outbox = open({ now: () => clock.nowMs });
  const there = relay(() => new RelayError(409, "No."));
  const waits: (number | undefined)[] = [];
  await outbox.put("pkg_a", DONE, HERE);
  for (let time = 0; time < 9; time += 1) {
    await outbox.flush(there);
    await outbox.flush(there);
    const waitMs = await outbox.waitMs(HERE);
    waits.push(waitMs);
    clock.nowMs += waitMs ?? 0;
  }
  const seconds = [5, 10, 20, 40, 80, 160, 320, 600, 600];
  expect(waits).toEqual(seconds.map((one) => one * 1000));
  expect(there.reported).toHaveLength(9);
  await outbox.flush(there);
  outbox.retryNow();
  expect(await outbox.waitMs(HERE)).toBe(0);
  expect(await outbox.flush(relay())).toBe(0);
  expect(await outbox.waitMs(HERE)).toBeUndefined();
});

test("[R2] results that the relay finds invalid are set aside with a sentence", async () => {
  const { folder, open } = await setUp();
  const told: string[] = [];
  const outbox = open({ onRefused: (sentence) => told.push(sentence) });
  await outbox.put("pkg_a", DONE, HERE);
  const invalid = new RelayError(422, "results must be an object.", { code: "RESULTS_WRONG" });
  const there = relay(() => invalid);
  expect(await outbox.flush(there)).toBe(0);
  expect(await outbox.flush(there)).toBe(0);
  expect(there.reported).toHaveLength(1);
  const aside = join(folder, "pkg_a.refused");
  expect(told).toEqual([
    `The relay refused the results of a package: results must be an object. They are kept in ${aside}.`,
  ]);
  expect(JSON.parse(await readFile(aside, "utf8"))).toMatchObject({ results: DONE });
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

test("[R2][P9] results go out only as the device that the package was sent to", async () => {
  const { open } = await setUp();
  await open().put("pkg_a", DONE, { ...HERE, deviceId: "dev_1" });
  expect(await open().flush({ ...relay(), deviceId: "dev_2" })).toBe(0);
  expect(await open().packageIds({ ...HERE, deviceId: "dev_1" })).toEqual(["pkg_a"]);
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

test("[R2] a damaged report is set aside with a sentence, and blocks no other", async () => {
  const { folder, open } = await setUp();
  await open().put("pkg_a", DONE, HERE);
  for (const [name, text] of [
    ["pkg_b", ""],
    ["pkg_c", '{"package_id":"pkg_c"'],
  ] as const) {
    await writeFile(join(folder, `${name}.json`), text);
  }
  await open().put("pkg_e", DONE, HERE);
  await rename(join(folder, "pkg_e.json"), join(folder, "pkg_d.json"));
  await mkdir(join(folder, "x.json"));
  expect(await open().packageIds(HERE)).toEqual(["pkg_a"]);
  const sentence = await open().setAsideDamaged();
  expect(sentence).toContain(join(folder, "pkg_b.json.damaged"));
  expect(sentence).toContain(join(folder, "pkg_c.json.damaged"));
  expect(sentence).toContain(join(folder, "pkg_d.json.damaged"));
  expect((await readdir(folder)).sort()).toEqual([
    "pkg_a.json",
    "pkg_b.json.damaged",
    "pkg_c.json.damaged",
    "pkg_d.json.damaged",
    "x.json",
  ]);
  expect(await open().setAsideDamaged()).toBeNull();
});
