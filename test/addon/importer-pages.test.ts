import { describe, expect, test } from "vitest";
import { importerAtWork } from "./importer-at-work.ts";
import { linkTo, startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import type { StandInRelay } from "./relay/stand-in-relay.ts";
import { started } from "./named-relays.ts";
import { until } from "../sim/until.ts";

const REPORTED = { 1: { status: "imported", track: "Kick (Looper)" } } as const;

/** A relay that pages, with packages of which the first has been reported. */
async function pagingRelay(ids: readonly string[]): Promise<StandInRelay> {
  const relay = await startStandIn();
  relay.importerApi = [1, 2];
  for (const id of ids.toReversed()) offerPackage(relay, id, ["Kick"]);
  return relay;
}

function report(relay: StandInRelay, id: string, version: number, results = REPORTED): void {
  const at = relay.packages.findIndex(({ package_id }) => package_id === id);
  const [listed] = relay.packages.slice(at);
  if (listed !== undefined)
    relay.packages[at] = { ...listed, status: "imported", version, results };
}

describe("the importer's list", () => {
  test("[I5] is read page by page, from the first to the last", async () => {
    const ids = [
      "pkg_1_____________________",
      "pkg_2_____________________",
      "pkg_3_____________________",
      "pkg_4_____________________",
      "pkg_5_____________________",
    ];
    const relay = await pagingRelay(ids);
    const { client } = linkTo(relay.url);
    const { packages } = await client.packages();
    expect(packages.map(({ package_id }) => package_id)).toEqual(ids);
    const calls = relay.callsTo("GET", "/importer/packages");
    expect(calls.map(({ query }) => query.get("after"))).toEqual(["", "2", "4"]);
    expect(calls[0]?.headers["x-soundferry-importer"]).toMatch(/; api=2$/);
  });

  test("[I5] is newest first, although what waits comes first", async () => {
    const relay = await pagingRelay([
      "pkg_1_____________________",
      "pkg_2_____________________",
      "pkg_3_____________________",
    ]);
    const newest = relay.packages[2];
    if (newest !== undefined) {
      relay.packages[2] = { ...newest, committed_at: "2026-11-21T12:30:00.000Z" };
    }
    const { packages } = await linkTo(relay.url).client.packages();
    expect(packages.map(({ package_id }) => package_id)).toEqual([
      "pkg_3_____________________",
      "pkg_1_____________________",
      "pkg_2_____________________",
    ]);
  });

  test("[I5] has results as before: read once for each report, and for nothing that waits", async () => {
    const relay = await pagingRelay(["pkg_1_____________________", "pkg_2_____________________"]);
    report(relay, "pkg_1_____________________", 2);
    const { importer } = await importerAtWork(relay.url);
    const reads = () =>
      relay.callsTo("GET", "/importer/packages/pkg_1_____________________").length;
    expect((await importer.packages()).packages).toMatchObject([{ results: REPORTED }, {}]);
    await importer.packages();
    expect([
      reads(),
      relay.callsTo("GET", "/importer/packages/pkg_2_____________________").length,
    ]).toEqual([1, 0]);
    report(relay, "pkg_1_____________________", 3);
    await importer.packages();
    expect(reads()).toBe(2);
  });

  test("[I5][R12] a package that was only dismissed waits again after a restart", async () => {
    const relay = await pagingRelay([
      "pkg_1_____________________",
      "pkg_2_____________________",
      "pkg_3_____________________",
    ]);
    const { importer, folder } = await started(relay.url);
    await importer.packages();
    await importer.dismiss("pkg_2_____________________");
    await importer.undoDismiss("pkg_2_____________________");
    await importer.close();
    const { importer: next } = await importerAtWork(relay.url, { folder });
    await next.start();
    await until(() => next.state.packages.length === 3);
    expect((await next.listNew()).toSorted()).toEqual([
      "pkg_1_____________________",
      "pkg_2_____________________",
      "pkg_3_____________________",
    ]);
  });

  test("[I5] a package that went between the list and its results is listed without them", async () => {
    const relay = await pagingRelay(["pkg_1_____________________"]);
    report(relay, "pkg_1_____________________", 2);
    const body = { error: "The package is not known.", code: "PACKAGE_UNKNOWN" };
    relay.intercept = ({ path }) =>
      path === "/importer/packages/pkg_1_____________________" ? { status: 404, body } : undefined;
    const { importer } = await importerAtWork(relay.url);
    const [listed] = (await importer.packages()).packages;
    expect([listed?.status, listed?.results]).toEqual(["imported", undefined]);
  });

  test("[I4][I5] an older relay, which took a newer one's place, is spoken to as it can", async () => {
    const relay = await pagingRelay([
      "pkg_1_____________________",
      "pkg_2_____________________",
      "pkg_3_____________________",
    ]);
    report(relay, "pkg_1_____________________", 2);
    const { client } = linkTo(relay.url);
    await client.packages();
    relay.importerApi = [1];
    const { packages } = await client.packages();
    expect(packages).toHaveLength(3);
    expect(packages[0]?.results).toEqual(REPORTED);
    const last = relay.callsTo("GET", "/importer/packages").at(-1);
    expect(last?.headers["x-soundferry-importer"]).toMatch(/; api=1$/);
    relay.importerApi = [1, 2];
    await client.hello();
    expect((await client.packages()).packages).toHaveLength(3);
  });
});
