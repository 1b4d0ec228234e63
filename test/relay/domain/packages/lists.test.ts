import { describe, expect, test } from "vitest";
import { MAX_JSON_BYTES, MAX_PAGE_PACKAGES } from "../../../../core/limits.ts";
import type { ImportHistory } from "../../../../core/quotas/budgets.ts";
import { findDownload } from "../../../../relay/domain/packages/find-download.ts";
import { reportResults } from "../../../../relay/domain/packages/import-package.ts";
import {
  findImportable,
  importablePage,
} from "../../../../relay/domain/packages/list-importable.ts";
import { listOwn } from "../../../../relay/domain/packages/list-own.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import {
  committed,
  DAY,
  HOUR,
  MINUTE,
  packageOf,
  put,
  T0,
} from "../../../contracts/relay/records/sample-records.ts";
import { withFaults } from "../faulty-ports.ts";
import { announced, openUseCases, pairedApp, recordOf, send, type UseCases } from "../use-cases.ts";

const idsIn = (packages: readonly { readonly package_id: string }[]) =>
  packages.map(({ package_id: id }) => id);

/** An app, and so many of its packages that wait; each has a title of so many characters. */
async function waiting(count: number, titleLength = 1) {
  const cases = await openUseCases();
  const app = await pairedApp(cases);
  for (let index = 0; index < count; index += 1) {
    const record = packageOf(`pkg_${String(index).padStart(4, "0")}`, {
      deviceId: app.deviceId,
      appId: app.appId,
      createdAt: T0 + index,
    });
    const manifest = { ...record.manifest, title: "x".repeat(titleLength) };
    await put(cases.context, committed({ ...record, manifest }, T0 + index));
  }
  cases.clock.time = T0 + MINUTE;
  const own = (after = "", status?: string, { context } = cases) =>
    listOwn(context, app, { after, status });
  const page = async (after = "", { context } = cases) => {
    const pages = importablePage(context, app.deviceId, after);
    const ids: string[] = [];
    let read = await pages.next();
    for (; read.done !== true; read = await pages.next()) {
      ids.push(JSON.parse(read.value.json).package_id);
    }
    return { ids, next: read.value };
  };
  return { cases, app, own, page, [Symbol.asyncDispose]: () => cases[Symbol.asyncDispose]() };
}

/** The stores as a list sees them if this package is withdrawn after its head was read. */
function withoutManifest<Cases extends UseCases>(cases: Cases, packageId: string): Cases {
  const { packages } = cases.context;
  const findManifests = (ids: readonly string[], max: number) =>
    packages.findManifests(
      ids.filter((id) => id !== packageId),
      max,
    );
  return withFaults(cases, { packages: { findManifests } });
}

describe("an app's list", () => {
  test("[S7] has pages, newest first, and together they are the list", async () => {
    await using list = await waiting(MAX_PAGE_PACKAGES + 3);
    const first = await list.own();
    expect(first.packages).toHaveLength(MAX_PAGE_PACKAGES);
    const second = await list.own(first.next ?? "none");
    expect([second.packages.length, second.next]).toEqual([3, null]);
    const ids = idsIn([...first.packages, ...second.packages]);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(new Set(ids).size).toBe(MAX_PAGE_PACKAGES + 3);
  });

  test("[S7] ends without a cursor when a page is just full", async () => {
    await using list = await waiting(MAX_PAGE_PACKAGES);
    const { packages, next } = await list.own();
    expect([packages.length, next]).toEqual([MAX_PAGE_PACKAGES, null]);
  });

  test("[S7] has the statuses that are asked for, and fills a page from several steps", async () => {
    await using list = await waiting(2);
    const { cases, app, own } = list;
    const { package_id: uploading } = await announced(cases, app);
    const reported = await send(cases, app);
    await reportResults(cases.context, app, reported, { results: {} });
    const ids = async (status?: string) => idsIn((await own("", status)).packages);
    expect(await ids()).toEqual(expect.arrayContaining([uploading, reported, "pkg_0000"]));
    expect(await ids("waiting")).toEqual(["pkg_0001", "pkg_0000"]);
    expect(await ids("failed,uploading")).toHaveLength(2);
    expect(await ids("imported")).toEqual([]);
    const asked = { code: "STATUS_WRONG", extras: { about: { field: "status" } } };
    await expect(own("", "waiting,gone")).rejects.toMatchObject(asked);
    await expect(own("", "")).rejects.toMatchObject(asked);
    const cursor = { code: "CURSOR_WRONG", extras: { about: { field: "after" } } };
    await expect(own("not a cursor")).rejects.toMatchObject(cursor);
  });

  test("[S7] gives up a page after ten steps, with a cursor to continue from", async () => {
    await using list = await waiting(10 * MAX_PAGE_PACKAGES + 1);
    const { packages, next } = await list.own("", "imported");
    expect(packages).toEqual([]);
    expect(await list.own(next ?? "none", "waiting")).toMatchObject({
      packages: [{ package_id: "pkg_0000" }],
      next: null,
    });
  });

  test("[S7] has no package that was withdrawn meanwhile, or whose status is gone", async () => {
    await using list = await waiting(2);
    const { cases, app, own } = list;
    const seen = withoutManifest(cases, "pkg_0001");
    expect(idsIn((await own("", undefined, seen)).packages)).toEqual(["pkg_0000"]);
    const { policy } = cases.context;
    cases.clock.time = T0 + DAY + policy.statusWindowMs;
    expect(idsIn((await own()).packages)).toEqual(["pkg_0001"]);
    cases.clock.time += 1;
    expect((await own()).packages).toEqual([]);
    cases.clock.time = T0 + MINUTE;
    await withdraw(cases.context, app, "pkg_0001");
    expect(idsIn((await own()).packages)).toEqual(["pkg_0000"]);
  });
});

describe("an importer's list", () => {
  test("[I5] has pages, and none after a page that is just full", async () => {
    await using list = await waiting(MAX_PAGE_PACKAGES + 1);
    const first = await list.page();
    expect(first.ids).toHaveLength(MAX_PAGE_PACKAGES);
    expect(await list.page(first.next ?? "none")).toEqual({ ids: ["pkg_0000"], next: null });
    await using full = await waiting(MAX_PAGE_PACKAGES);
    expect((await full.page()).next).toBeNull();
    await expect(full.page("not a cursor")).rejects.toMatchObject({ code: "CURSOR_WRONG" });
  });

  test("[I5] has no more than 1 MiB a page, but at least one package", async () => {
    await using list = await waiting(5, 0.4 * MAX_JSON_BYTES);
    const first = await list.page();
    expect(first.ids).toEqual(["pkg_0004", "pkg_0003"]);
    expect((await list.page(first.next ?? "none")).ids).toEqual(["pkg_0002", "pkg_0001"]);
    await using large = await waiting(2, 1.2 * MAX_JSON_BYTES);
    const one = await large.page();
    expect(one.ids).toEqual(["pkg_0001"]);
    expect(await large.page(one.next ?? "none")).toEqual({ ids: ["pkg_0000"], next: null });
  });

  test("[I5] passes over a package that was withdrawn meanwhile", async () => {
    await using list = await waiting(3);
    const seen = withoutManifest(list.cases, "pkg_0001");
    expect((await list.page("", seen)).ids).toEqual(["pkg_0002", "pkg_0000"]);
  });

  test("[I5] one package has results once it was reported, and is 409 where it isn't listed", async () => {
    await using list = await waiting(1);
    const { cases, app } = list;
    const read = (id = "pkg_0000") => findImportable(cases.context, app.deviceId, id);
    expect(Object.hasOwn(await read(), "results")).toBe(false);
    const results = { 1: { status: "imported" } };
    await reportResults(cases.context, app, "pkg_0000", { results });
    expect(await read()).toMatchObject({ status: "imported", results });
    const { package_id: uploading } = await announced(cases, app);
    await expect(read(uploading)).rejects.toMatchObject({ code: "PACKAGE_NOT_COMMITTED" });
    const record = await recordOf(cases, "pkg_0000");
    await cases.context.packages.update({ ...record, filesDeleted: true });
    await expect(read()).rejects.toMatchObject({ code: "PACKAGE_EXPIRED" });
  });
});

test("[SC15] a file has an address where the store gives one and has the bytes, and that renews the lease", async () => {
  await using list = await waiting(0);
  const { cases, app } = list;
  const packageId = await send(cases, app);
  const address = async () =>
    (await findDownload(cases.context, app.deviceId, packageId, "kick.wav")).address();
  expect(await address()).toBeUndefined();
  const { sounds } = cases.context;
  const asked: unknown[] = [];
  const addressOf = async (...words: unknown[]) => {
    asked.push(words);
    return "https://bucket.example/key";
  };
  Object.assign(sounds, { addressOf });
  expect(await address()).toBe("https://bucket.example/key");
  const key = (await recordOf(cases, packageId)).uploaded.get("kick.wav");
  expect(asked).toEqual([[key, 60]]);
  Object.assign(sounds, { addressOf: async () => undefined });
  expect(await address()).toBeUndefined();
  Object.assign(sounds, { addressOf, sizes: async () => new Map() });
  expect(await address()).toBeUndefined();
});

test("[L7] a day on which something was imported proves a computer; a failed import doesn't", async () => {
  await using list = await waiting(0);
  const { cases, app } = list;
  const noted: unknown[] = [];
  cases.context.pairings.changeDevice = async (...words) => void noted.push(words);
  const packageId = await send(cases, app, ["a.wav", "b.wav"]);
  const report = (results: object, imports?: ImportHistory) =>
    reportResults(cases.context, { ...app, imports }, packageId, { results });
  await report({});
  expect(noted).toEqual([]);
  await report({ 1: { status: "imported" } });
  cases.clock.time += HOUR;
  await report({ 1: { status: "imported" }, 2: { status: "imported" } });
  const importDay = Math.floor(T0 / DAY);
  expect(noted).toEqual([
    [app.deviceId, { importDay }],
    [app.deviceId, { importDay }],
  ]);
  // A day that is known needs no other note.
  await report({ 1: { status: "imported" } }, { days: 1, firstDay: importDay, lastDay: importDay });
  expect(noted).toHaveLength(2);
  await report({}, { days: 1, firstDay: importDay - 1, lastDay: importDay - 1 });
  expect(noted).toHaveLength(2);
  await report(
    { 1: { status: "imported" } },
    { days: 1, firstDay: importDay - 1, lastDay: importDay - 1 },
  );
  expect(noted).toHaveLength(3);
});
