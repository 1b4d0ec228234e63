import { expect, test } from "vitest";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import { RelayUnreachableError } from "../../../core/importer/relay-errors.ts";
import { Dismisser } from "../../../addon/runs/dismisser.ts";
import { smallWav } from "../../wav-bytes.ts";
import { MemorySource } from "./memory-source.ts";
import { newStore } from "./new-store.ts";
import { relayWith } from "./relay-with.ts";
import { temporarySite } from "./temporary-site.ts";

/** A dismisser of one package, with a relay that records its reports. */
async function setUp(listed: Pick<ImportablePackage, "status" | "results">) {
  const site = await temporarySite();
  const store = newStore();
  const told: string[] = [];
  const relay = relayWith({
    report: async (packageId) => {
      told.push(packageId);
      return { status: "failed" };
    },
  });
  const source = Object.assign(
    new MemorySource([{ name: "Kick", wav: smallWav() }], "pkg_a", relay),
    {
      listed: { taken: false, ...listed },
    },
  );
  const outbox = site.outbox();
  const box = { isRunning: () => false };
  const finds: string[] = [];
  const dismisser = new Dismisser({
    store,
    finder: {
      find: async (asked) => {
        finds.push(asked);
        return { packageId: "pkg_a", title: "Kit", source };
      },
    },
    relay: { readPackages: async () => ({ packages: [] }) },
    runs: { isRunning: () => box.isRunning() },
    journals: site.journals(),
    outbox,
  });
  return { store, told, relay, outbox, box, finds, source, dismisser, journals: site.journals() };
}

test("[R12] an import that begins meanwhile wins: the report is withdrawn, and nothing is hidden", async () => {
  const { store, told, relay, outbox, box, dismisser } = await setUp({ status: "waiting" });
  let looks = 0;
  box.isRunning = () => (looks += 1) > 1;
  await expect(dismisser.dismiss("pkg_a")).rejects.toMatchObject({ code: "IMPORT_RUNS" });
  expect(await outbox.find("pkg_a", relay)).toBeUndefined();
  expect([told, store.state.dismissed.size]).toEqual([[], 0]);
});

test.each([
  [{ status: "failed", results: { "1": { status: "failed", error: "No." } } }],
  [{ status: "failed" }],
  [{ status: "partial", results: { "1": { status: "imported" } } }],
  [{ status: "imported" }],
] as const)(
  "[R12] a package of which its app knows something is only hidden: %j",
  async (listed) => {
    const { store, told, dismisser } = await setUp(listed);
    expect(await dismisser.dismiss("pkg_a")).toMatchObject({ dismissed: true, report: null });
    expect([told, store.state.dismissed.size]).toEqual([[], 1]);
  },
);

test("[R12] an undo leaves a report alone that is not of a dismissal", async () => {
  const { store, relay, outbox, dismisser } = await setUp({ status: "waiting" });
  const results = { "1": { status: "imported" } } as const;
  await outbox.put("pkg_a", results, relay);
  expect(await dismisser.dismiss("pkg_a")).toMatchObject({ report: null });
  await dismisser.undo("pkg_a");
  expect(await outbox.find("pkg_a", relay)).toEqual(results);
  expect(store.state.dismissed.size).toBe(0);
});

test("[R12] nobody waits for a relay that is known to be away", async () => {
  const { store, told, relay, outbox, dismisser } = await setUp({ status: "waiting" });
  store.changeConnection({ status: "offline" });
  expect(await dismisser.dismiss("pkg_a")).toMatchObject({ report: "waits" });
  expect(told).toEqual([]);
  expect(await outbox.find("pkg_a", relay)).toMatchObject({ "1": { status: "skipped" } });
});

test("[R12] an undo changes nothing where nothing was dismissed", async () => {
  const { store, relay, outbox, dismisser } = await setUp({ status: "waiting" });
  const { state } = store;
  await outbox.put("pkg_a", { "1": { status: "skipped", error: "Dismissed in Live." } }, relay);
  await dismisser.undo("pkg_a");
  expect(store.state).toBe(state);
  expect(await outbox.find("pkg_a", relay)).toBeDefined();
});

test("[R12] a dismissal that the relay doesn't take waits", async () => {
  const { told, relay, outbox, dismisser } = await setUp({ status: "waiting" });
  relay.report = () => Promise.reject(new RelayUnreachableError("Nothing answers."));
  expect(await dismisser.dismiss("pkg_a")).toMatchObject({ report: "waits" });
  expect([told, (await outbox.find("pkg_a", relay)) !== undefined]).toEqual([[], true]);
});

test("[R12] a package that was imported before is only hidden, although its app still waits", async () => {
  const { told, journals, dismisser } = await setUp({ status: "waiting" });
  const run = { runId: "run-1", hostName: "live", title: "Kit", earlier: [] };
  (await journals.begin("pkg_a", run)).noteEnd("imported");
  expect(await dismisser.dismiss("pkg_a")).toMatchObject({ dismissed: true, report: null });
  expect(told).toEqual([]);
});

test("[R12] a package that is waiting with a report already is only hidden", async () => {
  const results = { "1": { status: "skipped", error: "Not selected in Live." } } as const;
  const { told, dismisser } = await setUp({ status: "waiting", results });
  expect(await dismisser.dismiss("pkg_a")).toMatchObject({ report: null });
  expect(told).toEqual([]);
});

test("[R12] an import that begins meanwhile wins also where nothing is reported", async () => {
  const { store, box, dismisser } = await setUp({ status: "imported" });
  let looks = 0;
  box.isRunning = () => (looks += 1) > 1;
  await expect(dismisser.dismiss("pkg_a")).rejects.toMatchObject({ code: "IMPORT_RUNS" });
  expect(store.state.dismissed.size).toBe(0);
});

test("[R12] a relay's package is looked for once, and one of a folder in the inbox, too", async () => {
  const { finds, source, dismisser } = await setUp({ status: "waiting" });
  await dismisser.dismiss("pkg_a");
  expect(finds).toEqual(["pkg_a"]);
  Object.assign(source, { relay: undefined, listed: undefined });
  finds.length = 0;
  expect(await dismisser.dismiss("/inbox/Kit")).toMatchObject({ dismissed: true, report: null });
  expect(finds).toEqual(["/inbox/Kit", "pkg_a"]);
});

test("[R12] a package that the relay no longer lists is only hidden", async () => {
  const { told, source, dismisser } = await setUp({ status: "waiting" });
  Object.assign(source, { listed: undefined });
  expect(await dismisser.dismiss("pkg_a")).toMatchObject({ dismissed: true, report: null });
  expect(told).toEqual([]);
});
