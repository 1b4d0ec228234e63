import { expect, test } from "vitest";
import { MAX_JSON_BYTES, MAX_PAGE_PACKAGES } from "../../../core/limits.ts";
import { PROVEN_SHARE } from "../../../core/quotas/budgets.ts";
import { strangerAt } from "../../../relay/domain/caller.ts";
import { RunningRelay } from "../running-relay.ts";
import { committed, packageOf, put } from "../../contracts/relay/records/sample-records.ts";
import { importerCall } from "./importer-call.ts";
import { soon } from "../../sim/soon.ts";

const LIST = "/importer/packages";
const APIS = { "x-soundferry-importer": "9.9.9; api=2" };

/** A relay with an importer and that many packages which wait; each has a title of so many characters. */
async function listing(count: number, titleLength: (index: number) => number = () => 0) {
  const relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const { deviceId } = importer;
  const now = relay.relay.context.clock.now();
  const putOne = async (_: unknown, index: number) => {
    const packageId = `pkg_${String(index).padStart(4, "0")}`;
    const record = packageOf(packageId, { deviceId, createdAt: now, appId: "another" });
    const manifest = { ...record.manifest, title: "x".repeat(titleLength(index)) };
    await put(relay.relay.context, committed({ ...record, manifest }, now + index));
  };
  // At once, so that many are flushed together.
  await Promise.all(Array.from({ length: count }, putOne));
  const page = (after?: string, headers: Record<string, string> = {}) =>
    relay.call("GET", after === undefined ? LIST : `${LIST}?after=${after}`, {
      token: importer.token,
      headers,
    });
  return {
    relay,
    importer,
    token,
    page,
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

function idsIn(json: { packages: { package_id: string }[] }): string[] {
  return json.packages.map(({ package_id: id }) => id);
}

test("[I5] an importer that asks for pages gets them: all together are the list, without results", async () => {
  await using list = await listing(MAX_PAGE_PACKAGES + 3);
  const first = await list.page("");
  expect([first.status, first.json.packages.length]).toEqual([200, MAX_PAGE_PACKAGES]);
  const second = await list.page(first.json.next);
  expect([second.json.packages.length, second.json.next]).toEqual([3, null]);
  const ids = [...idsIn(first.json), ...idsIn(second.json)];
  expect(ids).toEqual(ids.toSorted().toReversed());
  expect(new Set(ids).size).toBe(MAX_PAGE_PACKAGES + 3);
  // It need not ask, if its header says that it knows of pages.
  const unasked = await list.page(undefined, APIS);
  expect([idsIn(unasked.json), unasked.json.next]).toEqual([idsIn(first.json), first.json.next]);
});

test("[I5] one that doesn't page gets the whole list or 426 with the sentence to update, never a part of it", async () => {
  await using list = await listing(MAX_PAGE_PACKAGES);
  const whole = await list.page();
  expect([whole.status, whole.json.packages.length]).toEqual([200, MAX_PAGE_PACKAGES]);
  await list.relay.send(list.token);
  const tooMany = await list.page();
  expect([tooMany.status, tooMany.json.code, tooMany.json.importer_api]).toEqual([
    426,
    "IMPORTER_TOO_OLD",
    [2],
  ]);
  expect(tooMany.json.error).toContain("Update");
});

test("[I5] a page ends at 1 MiB, but has at least one package", async () => {
  await using list = await listing(5, () => 0.4 * MAX_JSON_BYTES);
  const first = await list.page("");
  expect(idsIn(first.json)).toEqual(["pkg_0004", "pkg_0003"]);
  expect(idsIn((await list.page(first.json.next)).json)).toEqual(["pkg_0002", "pkg_0001"]);
  expect((await list.page()).status).toBe(426);
  await using large = await listing(2, () => 1.2 * MAX_JSON_BYTES);
  const one = await large.page("");
  expect([idsIn(one.json), idsIn((await large.page(one.json.next)).json)]).toEqual([
    ["pkg_0001"],
    ["pkg_0000"],
  ]);
});

test("[I2] one package is answered as in the list", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const one = await relay.call("GET", `${LIST}/${id}`, { token: importer.token });
  const { json } = await relay.call("GET", `${LIST}?after=`, { token: importer.token });
  expect(json.packages).toEqual([{ ...one.json, expires_in: expect.any(Number) }]);
});

test("[I5] A2: packages with the longest reports cost a list nothing", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const notes = Array.from({ length: 100 }, () => "\u0001".repeat(170));
  const results = { 1: { status: "failed", notes, error: "x".repeat(500) } };
  for (let index = 0; index < 4; index += 1) {
    const { report } = importerCall(relay, importer.token, await relay.send(token));
    expect((await report(results)).status).toBe(200);
  }
  const { text } = await relay.call("GET", `${LIST}?after=`, { token: importer.token });
  expect(text.length).toBeLessThan(4 * 1024);
});

test("[I5][L6] a page without room is refused, and one ends before a package that there is no room for", async () => {
  // The newest comes first, and is the smallest.
  await using list = await listing(3, (index) => (3 - index) * 100_000);
  const { admission } = list.relay.relay.context;
  const budget = admission.budget("answers");
  const leave = async (left: number) => {
    // An answer holds its bytes until it is read: what it frees later would be room.
    await soon(() => budget.used).toBe(0);
    const held = new DisposableStack();
    for (let at = 0; budget.max * (1 - PROVEN_SHARE) - budget.used > left; at += 1) {
      const bytes = budget.max * (1 - PROVEN_SHARE) - budget.used - left;
      held.use(admission.take("answers", strangerAt(`198.51.${at}.1`), Math.min(bytes, 2 ** 20)));
    }
    return held;
  };
  const all = await leave(0);
  const refused = await list.page("");
  expect([refused.status, refused.json.code]).toEqual([503, "BUSY"]);
  all.dispose();
  const most = await leave(150_000);
  const first = await list.page("");
  expect(idsIn(first.json)).toEqual(["pkg_0002"]);
  expect((await list.page(first.json.next)).status).toBe(503);
  most.dispose();
  const rest = await list.page(first.json.next);
  expect([idsIn(rest.json), rest.json.next]).toEqual([["pkg_0001", "pkg_0000"], null]);
  await soon(() => budget.used).toBe(0);
});
