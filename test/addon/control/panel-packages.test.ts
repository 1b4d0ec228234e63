import { mkdir, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type StartImporterOptions } from "../../../addon/control/open-importer.ts";
import type { FolderRevealer } from "../../../addon/packages/folder-revealer.ts";
import { DawprojectHost } from "../../../addon/hosts/dawproject/dawproject-host.ts";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { gatedHost } from "../paused-host.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { startStandIn } from "../relay/linked-client.ts";
import { offerPackage } from "../relay/packages-to-import.ts";
import { until } from "../../sim/until.ts";
import { runPanel } from "./ask.ts";

const KIT_3 = "pkg_3_____________________";
const KIT_4 = "pkg_4_____________________";
const KIT_1 = "pkg_1_____________________";
const KIT_2 = "pkg_2_____________________";

/** A running importer that is connected, with the panel's calls. */
async function startPanel(relayUrl: string, more: Partial<StartImporterOptions> = {}) {
  const panel = await runPanel(relayUrl, { more });
  await until(() => panel.importer.state.connection.status === "connected");
  return panel;
}

test("[R10] a request chooses sounds; a wrong choice is refused in words, and nothing begins", async () => {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick", "Snare"] });
  const { importer, call } = await startPanel(relay.url);
  const wrong = { packageId: KIT_1, soundIds: ["9"] };
  expect(await call("POST", "/control/runs", wrong)).toMatchObject({
    status: 422,
    json: { error: "The package has no sound 9.", code: "SOUNDS_WRONG" },
  });
  expect(importer.state.runs).toEqual([]);
  const chosen = { packageId: KIT_1, soundIds: ["2"] };
  expect(await call("POST", "/control/runs", chosen)).toMatchObject({ status: 202 });
  await until(() => importer.state.finished.length === 1);
  expect(importer.state.finished).toMatchObject([{ soundIds: ["2"], result: { outcome: {} } }]);
  expect(relay.reports.get(KIT_1)).toMatchObject({
    1: { status: "skipped", error: "Not selected in Live." },
    2: { status: "imported" },
  });
});

test("[R13][S2] a choice stays with the run that another one held up, and is taken over with it", async () => {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick", "Snare"] });
  const { importer, call } = await startPanel(relay.url);
  const error = "Another import is running. Try again in 200 s.";
  relay.intercept = ({ path, body }) =>
    path.endsWith("/take") && body["force"] !== true
      ? { status: 409, body: { error, code: "RUN_ELSEWHERE" } }
      : undefined;
  await call("POST", "/control/runs", { packageId: KIT_1, soundIds: ["2"] });
  await until(() => importer.state.finished.length === 1);
  const [first] = importer.state.finished;
  expect(first).toMatchObject({ soundIds: ["2"], result: { code: "RUN_ELSEWHERE" } });
  const { packageId, soundIds } = first ?? {};
  await call("POST", "/control/runs", { packageId, soundIds, takeOver: true });
  await until(() => importer.state.finished.length === 2);
  const report = relay.reports.get(KIT_1) ?? {};
  expect(Object.values(report).map(({ status }) => status)).toEqual(["skipped", "imported"]);
});

test("[R15] a request can ask for the same tracks, at a host that can; another refuses", async () => {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick", "Snare"] });
  const { importer, call, settings } = await startPanel(relay.url);
  expect(importer.state.host.can.reusesTracks).toBe(true);
  await importer.import(KIT_1);
  await call("POST", "/control/runs", { packageId: KIT_1, reuseTracks: true });
  await until(() => importer.state.finished.length === 2);
  const session = await readPreviewSession(join(settings.dataFolder, "preview-session.json"));
  expect([session.scenes.length, session.tracks.length]).toEqual([2, 2]);

  const gate = gatedHost();
  const { importer: other, call: ask } = await startPanel(relay.url, { host: gate.host });
  expect(other.state.host.can.reusesTracks).toBe(false);
  expect(await ask("POST", "/control/runs", { packageId: KIT_1, reuseTracks: true })).toMatchObject(
    {
      status: 409,
      json: { error: "This host can't import on the same tracks.", code: "TRACKS_NOT_REUSED" },
    },
  );
  expect(other.state.runs).toEqual([]);
});

test("[N22][R7] a request may name the DAWproject, which is written beside the sounds; without that host it is refused", async () => {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick", "Snare"] });
  const otherHosts = new Map([["dawproject", async () => new DawprojectHost()]]);
  const { importer, call, settings } = await startPanel(relay.url, { otherHosts });
  const request = { packageId: KIT_1, host: "dawproject" };
  expect(await call("POST", "/control/runs", request)).toMatchObject({ status: 202 });
  await until(() => importer.state.finished.length === 1);
  expect(importer.state.finished).toMatchObject([
    { otherHost: "dawproject", result: { outcome: { status: "imported" } } },
  ]);
  const files = await readdir(settings.soundsFolder, { recursive: true });
  expect(files.filter((name) => name.endsWith(".dawproject"))).toHaveLength(1);

  const { importer: other, call: ask } = await startPanel(relay.url);
  const refused = await ask("POST", "/control/runs", request);
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(other.state.runs).toEqual([]);
});

describe("Import all", () => {
  test("[N11] begins a run for each new package, and none for others, and goes on without the page", async () => {
    const relay = await startStandIn({
      pkg_done__________________: ["Kick"],
      pkg_no____________________: ["Kick"],
      pkg_2_____________________: ["Kick"],
      pkg_1_____________________: ["Kick"],
    });
    const { importer, call, folder } = await startPanel(relay.url);
    await importer.import("pkg_done__________________");
    await importer.dismiss("pkg_no____________________");
    await writeLocalPackage(join(folder, "inbox", "One"), "One", ["Kick"]);
    const before = importer.state.finished.length;
    const answer = await call("POST", "/control/import-all", { background: true });
    expect(answer).toMatchObject({ status: 202, json: { packages: 3, failures: [] } });
    await call("POST", "/control/import-all", { background: true });
    await until(() => importer.state.runs.length === 0);
    await until(() => importer.state.finished.length === before + 3);
    const titles = importer.state.finished.slice(0, 3).map(({ title }) => title);
    expect(titles).toEqual(["One", "Kit 1", "Kit 2"]);
    expect((await importer.packages()).dismissed).toEqual(["pkg_no____________________"]);
  });

  test("[N11] takes the inbox while the relay is away, and says so where that is empty", async () => {
    const relay = await startStandIn();
    const { importer, call, folder } = await startPanel(relay.url);
    await relay.stop();
    const body = { background: true };
    expect(await call("POST", "/control/import-all", body)).toMatchObject({
      status: 500,
      json: { error: expect.stringMatching(/relay/) },
    });
    await writeLocalPackage(join(folder, "inbox", "One"), "One", ["Kick"]);
    const { json } = await call("POST", "/control/import-all", body);
    expect(json).toEqual({ packages: 1, failures: [] });
    await until(() => importer.state.finished.length === 1);
  });

  test("[N11] joins a run with a choice of sounds, and begins the others", async () => {
    const relay = await startStandIn({ [KIT_2]: ["Kick", "Snare"], [KIT_1]: ["Kick", "Snare"] });
    const gate = gatedHost();
    const { importer, call } = await startPanel(relay.url, { host: gate.host });
    await call("POST", "/control/runs", { packageId: KIT_1, soundIds: ["2"] });
    await gate.reached;
    const { json } = await call("POST", "/control/import-all", { background: true });
    expect(json).toEqual({ packages: 2, failures: [] });
    expect(importer.state.runs).toMatchObject([
      { packageId: KIT_1, soundIds: ["2"] },
      { packageId: KIT_2, progress: null },
    ]);
    gate.open();
    await until(() => importer.state.finished.length === 2);
  });

  test("[N23] Stop ends what is queued without a result, cancels what is active, and leaves other runs", async () => {
    const relay = await startStandIn({
      pkg_1_____________________: ["Kick"],
      pkg_2_____________________: ["Kick"],
      pkg_3_____________________: ["Kick"],
      pkg_4_____________________: ["Kick"],
    });
    const gate = gatedHost();
    const { importer, call } = await startPanel(relay.url, { host: gate.host });
    expect(await call("DELETE", "/control/import-all")).toMatchObject({ status: 404 });
    await call("POST", "/control/import-all", { background: true });
    await gate.reached;
    await call("DELETE", "/control/runs/pkg_4_____________________");
    await call("POST", "/control/runs", { packageId: KIT_4 });
    const runs = () => importer.state.runs.map(({ packageId, isOfAll }) => [packageId, isOfAll]);
    expect(runs()).toEqual([
      [KIT_1, true],
      [KIT_2, true],
      [KIT_3, true],
      [KIT_4, undefined],
    ]);
    expect(await call("DELETE", "/control/import-all")).toMatchObject({ status: 200 });
    await until(() => importer.state.runs.length === 1);
    expect(runs()).toEqual([[KIT_4, undefined]]);
    expect(importer.state.finished).toMatchObject([
      { packageId: KIT_1, result: { code: "CANCELLED" } },
    ]);
    expect(await importer.listNew()).toEqual([KIT_1, KIT_2, KIT_3, KIT_4]);
    gate.open();
    await until(() => importer.state.finished.length === 2);
    expect(relay.reports.has(KIT_2)).toBe(false);
    await call("POST", "/control/import-all", { background: true });
    await until(() => importer.state.finished.length === 5);
  });

  test("[N11] names a package that can't be opened", async () => {
    const relay = await startStandIn();
    const offered = offerPackage(relay, KIT_1, ["Kick"]);
    const manifest = { ...offered.manifest, schema: "app2host/9" };
    relay.packages.splice(0, 1, Object.assign({}, offered, { manifest }));
    const { call } = await startPanel(relay.url);
    const { json } = await call("POST", "/control/import-all", { background: true });
    expect(json).toEqual({
      packages: 0,
      failures: [{ source: KIT_1, error: expect.stringMatching(/\.$/) }],
    });
  });
});

test("[R12] the panel dismisses a package and takes it back, by its id alone", async () => {
  const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
  const { importer, call } = await startPanel(relay.url);
  const path = "/control/packages/pkg_1_____________________/dismissal";
  expect(await call("POST", path)).toMatchObject({ status: 200, json: {} });
  expect([...importer.state.dismissed]).toEqual([KIT_1]);
  expect(await call("DELETE", path)).toMatchObject({ status: 200, json: {} });
  expect(importer.state.dismissed.size).toBe(0);
  const folder = encodeURIComponent("/etc");
  expect(await call("POST", `/control/packages/${folder}/dismissal`)).toMatchObject({
    status: 404,
  });
  expect(await call("POST", "/control/packages/pkg_none/dismissal")).toMatchObject({
    json: { error: expect.stringMatching(/^The relay has no package/) },
  });
});

describe("Show the folder", () => {
  function revealing() {
    const shown: string[] = [];
    const folderRevealer: FolderRevealer = {
      kind: "finder",
      reveal: async (path) => void shown.push(path),
    };
    return { shown, folderRevealer };
  }

  test("[N12] shows the folder of an import, and of an inbox package, also of a broken one", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { shown, folderRevealer } = revealing();
    const { importer, call, folder, settings } = await startPanel(relay.url, { folderRevealer });
    expect(importer.state.canReveal).toBe("finder");
    const reveal = (id: string) =>
      call("POST", `/control/packages/${encodeURIComponent(id)}/reveal`);
    expect(await reveal(KIT_1)).toMatchObject({
      json: { error: "This package has no folder on this computer." },
    });
    await importer.import(KIT_1);
    await writeLocalPackage(join(folder, "inbox", "One"), "One", ["Kick"]);
    await mkdir(join(folder, "inbox", "Broken"));
    await writeFile(join(folder, "inbox", "Broken", "manifest.json"), "{");
    await until(() => importer.state.local.length === 2);
    const ids = importer.state.local.map((one) => ("package_id" in one ? one.package_id : ""));
    for (const id of [KIT_1, ids.find((each) => each !== "") ?? "", "inbox/Broken"]) {
      expect(await reveal(id)).toMatchObject({ status: 200, json: {} });
    }
    expect(shown.map((path) => basename(path))).toEqual(["Kit 1", "One", "Broken"]);
    expect(shown[0]).toBe(join(await realpath(settings.soundsFolder), "Kit 1"));
  });

  test("[N12] never shows a folder that the request names, or that a link leads to", async () => {
    const relay = await startStandIn();
    const { shown, folderRevealer } = revealing();
    const { importer, call, folder, settings } = await startPanel(relay.url, { folderRevealer });
    await mkdir(settings.soundsFolder, { recursive: true });
    await writeLocalPackage(join(folder, "elsewhere"), "Elsewhere", ["Kick"]);
    await symlink(join(folder, "elsewhere"), join(settings.soundsFolder, "linked"));
    await writeLocalPackage(join(folder, "inbox", "One"), "One", ["Kick"]);
    await until(() => importer.state.local.length === 1);
    // It has become a link since it was listed.
    await rm(join(folder, "inbox", "One"), { recursive: true });
    await symlink(join(folder, "elsewhere"), join(folder, "inbox", "One"));
    const [one] = importer.state.local;
    const listed = one !== undefined && "package_id" in one ? one.package_id : "";
    expect(listed).toMatch(/^local_/);
    const wrong = [
      listed,
      folder,
      "../..",
      "inbox/..",
      "inbox/../data",
      "pkg_..",
      "linked",
      "inbox/One",
    ];
    for (const id of wrong) {
      const path = `/control/packages/${encodeURIComponent(id)}/reveal`;
      const { status } = await call("POST", path);
      expect.soft(status, id).not.toBe(200);
    }
    expect(shown).toEqual([]);
  });

  test("[N12] is not offered where nobody would see it", async () => {
    const relay = await startStandIn();
    const { importer, call } = await startPanel(relay.url);
    expect(importer.state.canReveal).toBeNull();
    expect(await call("POST", "/control/packages/pkg_1_____________________/reveal")).toMatchObject(
      { json: { error: "Soundferry can't show folders here." } },
    );
  });
});
