import { expect, test } from "vitest";
import { type DeviceView, viewOf } from "../../../../relay/domain/pairing/devices.ts";
import type { PackageHead } from "../../../../relay/domain/ports.ts";
import { MINUTE } from "../../../contracts/relay/records/sample-records.ts";
import { pair, recordOf } from "../use-cases.ts";
import { waitingPackage } from "../packages/waiting-package.ts";

type Waiting = Awaited<ReturnType<typeof waitingPackage>>;

const seenBy = ({ context, app }: Waiting) => viewOf(context, app.deviceId);

/** The parts of a view that are others than before. */
function changed(before: DeviceView, after: DeviceView): readonly string[] {
  return (["packages", "apps", "pairing"] as const).filter((part) => before[part] !== after[part]);
}

/** Tells what looks new since it was asked before. */
async function watching(one: Waiting) {
  let before = await seenBy(one);
  return async () => {
    const after = await seenBy(one);
    const news = changed(before, after);
    before = after;
    return news;
  };
}

test("[J6] a package that is taken, or reported otherwise, looks new; one whose lease is renewed doesn't", async () => {
  await using one = await waitingPackage();
  const news = await watching(one);
  expect(await news()).toEqual([]);
  await one.take({ run_id: "a" });
  expect(await news()).toEqual(["packages"]);
  one.cases.clock.time += MINUTE;
  const { version } = await recordOf(one.cases, one.packageId);
  await one.take({ run_id: "a" });
  expect((await recordOf(one.cases, one.packageId)).version).not.toBe(version);
  expect(await news()).toEqual([]);
  await one.report({});
  expect(await news()).toEqual(["packages"]);
  await one.report({ 1: { status: "failed", error: "No room." } });
  expect(await news()).toEqual(["packages"]);
});

test("[J6] a new app and a pairing that waits for a yes look new, and nothing else does", async () => {
  await using one = await waitingPackage();
  const news = await watching(one);
  await pair(one.cases, one.app.deviceId, "app-2");
  expect(await news()).toEqual(["apps"]);
  for (const [requestId, state] of [
    ["req_1", "open"],
    ["req_2", "open"],
    ["req_2", "claimed"],
  ]) {
    one.context.pairings.findRequest = async () =>
      Object.assign(Object.create(null), { requestId, state });
    expect(await news()).toEqual(["pairing"]);
  }
});

test.each([1, 500, 501, 1000])("[J6] the last of %i packages counts", async (count) => {
  await using one = await waitingPackage();
  const { packages } = one.context;
  const [head] =
    (await packages.list({ deviceId: one.app.deviceId, now: 0 }, { after: undefined, limit: 1 })) ??
    [];
  if (head === undefined) throw new Error("The package waits.");
  const heads: PackageHead[] = Array.from({ length: count }, (_, at) => ({
    ...head,
    cursor: String(at + 1),
  }));
  packages.list = async (_of, { after = "0", limit }) =>
    heads.slice(Number(after), Number(after) + limit);
  const news = await watching(one);
  expect(await news()).toEqual([]);
  heads[count - 1] = { ...head, packageId: "pkg_new", cursor: String(count) };
  expect(await news()).toEqual(["packages"]);
});
