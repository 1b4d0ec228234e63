import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { CORRECT_TEMPO } from "../../../addon/hosts/host-settings.ts";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { type RunningImporter } from "../../../addon/control/open-importer.ts";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { smallWav } from "../../wav-bytes.ts";
import { gatedHost } from "../paused-host.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { startStandIn } from "../relay/linked-client.ts";
import { offerPackage } from "../relay/packages-to-import.ts";
import { until } from "../../sim/until.ts";
import { ask, runPanel } from "./ask.ts";

/** A running importer, and its panel: the newest state it received, and its calls. */
async function openPanel(...given: Parameters<typeof runPanel>) {
  const running = await runPanel(...given);
  return { ...running, ...(await openPage(running)) };
}

/** Follows the importer's state as a page does. */
async function openPage({ port, secret }: Pick<RunningImporter, "port" | "secret">) {
  const headers = { "x-soundferry-secret": secret, origin: "null" };
  const [answer] = await once(
    request({ host: "127.0.0.1", port, path: "/control/state", headers }).end(),
    "response",
  );
  expect(answer.headers["access-control-allow-origin"]).toBe("null");
  const states: PanelState[] = [];
  const lines = createInterface({ input: answer });
  lines.on("line", (line) => states.push(JSON.parse(line)));
  // It ends with the importer, in the middle of the answer.
  lines.on("error", () => {});
  await until(() => states.length > 0);
  const now = () => {
    const newest = states.at(-1);
    if (newest === undefined) throw new Error("no state came");
    return newest;
  };
  return { states, now, closePage: () => void answer.destroy() };
}

describe("what the panel sees", () => {
  test("[N3] a package that comes, its import, and what came of it, without asking again", async () => {
    const relay = await startStandIn();
    const { call, now } = await openPanel(relay.url);
    await until(() => now().connection.status === "connected");
    offerPackage(relay, "pkg_1_____________________", ["Kick", "Snare"]);
    relay.notify({ type: "packages.changed" });
    await until(() => now().packages.length === 1);
    expect(now().packages).toMatchObject([
      { title: "Kit 1", status: "waiting", sounds: [{ name: "Kick" }, { name: "Snare" }] },
    ]);
    expect(
      await call("POST", "/control/runs", { packageId: "pkg_1_____________________" }),
    ).toMatchObject({
      status: 202,
      json: {},
    });
    await until(() => now().finished.length === 1);
    expect(now().runs).toEqual([]);
    expect(now().finished).toMatchObject([{ result: { outcome: { status: "imported" } } }]);
    await until(() => now().packages.some((one) => "status" in one && one.status === "imported"));
  });

  test("[N2] no token, and no path but the names of folders", async () => {
    const relay = await startStandIn();
    const offered = offerPackage(relay, "pkg_1_____________________", ["Kick"]);
    relay.apps.push({
      pairing_id: "pair_1",
      app_name: "Looper",
      paired_at: "2026-11-21T12:00:00.000Z",
      last_seen_at: "2026-11-21T12:00:00.000Z",
      waiting_packages: 0,
    });
    const { call, states, now, folder, settings } = await openPanel(relay.url);
    await writeLocalPackage(join(folder, "inbox", "Drums"), "Drums", ["Snare"]);
    await until(() => now().apps.length === 1 && now().packages.length === 2);
    await call("POST", "/control/pairing-code");
    await call("POST", "/control/runs", { packageId: "pkg_1_____________________" });
    await until(() => now().finished.length === 1);
    const plan = await call("GET", "/control/packages/pkg_1_____________________/plan");
    const code = now().pairing.code ?? "none";
    expect(code).toMatch(/^\w{6}$/);

    const config = JSON.parse(await readFile(join(settings.dataFolder, "config.json"), "utf8"));
    const { importerToken } = config.identities[relay.url];
    const shown = states.map((state) => Object.assign({}, state, { soundsFolder: null }));
    const reported = JSON.stringify([shown, plan.json]);
    expect(importerToken).toMatch(/\S/);
    for (const hidden of [importerToken, folder, Object.values(offered.files)[0]]) {
      expect(reported).not.toContain(hidden);
    }
    expect(reported).not.toMatch(/sf[ai]_/);
    expect(reported).toContain('"folder":"Kit 1"');
  });

  test("[N6] what a package will become, and a sound's very bytes, from relay and inbox", async () => {
    const relay = await startStandIn();
    const offered = offerPackage(relay, "pkg_1_____________________", ["Kick"]);
    const { call, now, folder } = await openPanel(relay.url);
    await writeLocalPackage(join(folder, "inbox", "Drums"), "Drums", ["Snare"]);
    await until(() => now().packages.length === 2);
    const local = now().packages[1]?.packageId ?? "";

    const plan = await call("GET", "/control/packages/pkg_1_____________________/plan");
    expect(plan).toMatchObject({
      status: 200,
      json: {
        sceneName: "Kit 1 (Looper)",
        tempoBpm: null,
        tracks: [{ id: "1", color: expect.stringMatching(/^#[0-9A-F]{6}$/) }],
      },
    });
    const atRelay = await call("GET", "/control/packages/pkg_1_____________________/sounds/1");
    expect(atRelay.headers).toMatchObject({
      "content-type": "audio/wav",
      "content-length": String(atRelay.bytes.length),
    });
    expect(atRelay.bytes).toEqual(relay.files.get(Object.values(offered.files)[0] ?? ""));
    const inInbox = await call("GET", `/control/packages/${local}/sounds/1`);
    expect(inInbox.bytes).toEqual(smallWav());

    const nothing = await call("GET", "/control/packages/pkg_1_____________________/sounds/none");
    expect(nothing.status).toBeGreaterThanOrEqual(400);
    expect(nothing.json?.["error"]).toMatch(/\.$/);
  });

  test("[N3] the page itself, where there is one; its address has the secret behind the #", async () => {
    const relay = await startStandIn();
    const more = { panelPage: async () => "<!doctype html><p>Soundferry</p>" };
    const shown = await openPanel(relay.url, { more });
    expect(shown.panelUrl).toBe(`http://127.0.0.1:${shown.port}/#${shown.secret}`);
    const page = await ask(shown.port, {
      path: "/",
      headers: { "x-soundferry-secret": undefined },
    });
    expect(page.bytes.toString()).toContain("Soundferry");
    const plain = await openPanel(relay.url);
    expect(await plain.call("GET", "/")).toMatchObject({
      status: 404,
      json: { error: "This importer has no panel." },
    });
  });
});

describe("what the panel does", () => {
  test("[N3] an import goes on without its page; Cancel ends it, and what was fetched can be cleared", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { host, reached } = gatedHost();
    const { call, closePage, ...running } = await openPanel(relay.url, { more: { host } });
    await call("POST", "/control/runs", { packageId: "pkg_1_____________________" });
    closePage();
    await reached;
    const { now } = await openPage(running);
    expect(now().runs).toMatchObject([{ packageId: "pkg_1_____________________" }]);
    expect(await call("DELETE", "/control/runs/pkg_1_____________________")).toMatchObject({
      status: 200,
    });
    await until(() => now().finished.length === 1);
    expect(now().finished).toMatchObject([{ result: { code: "CANCELLED" } }]);
    expect(await call("DELETE", "/control/runs/pkg_1_____________________")).toMatchObject({
      status: 404,
      json: { error: "This import has already finished." },
    });

    await until(() => (now().keptFiles?.clearableBytes ?? 0) > 0);
    expect(await call("DELETE", "/control/kept-files")).toMatchObject({ status: 200 });
    await until(() => now().keptFiles?.bytes === 0);
  });

  test("[N3] a missing package fails with a sentence", async () => {
    const relay = await startStandIn();
    const { call, now } = await openPanel(relay.url);
    const gone = await call("POST", "/control/runs", { packageId: "pkg_gone__________________" });
    expect(gone.json?.["error"]).toMatch(/has no package pkg_gone__________________/);
    expect(now().runs).toEqual([]);
  });

  test("[N5] the session's tempo is set by a request that asks for it", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { call, now, settings } = await openPanel(relay.url);
    await until(() => now().host.tempoBpm === 120);
    await call("POST", "/control/runs", {
      packageId: "pkg_1_____________________",
      sessionTempoBpm: 126,
    });
    await until(() => now().host.tempoBpm === 126);
    const session = await readPreviewSession(join(settings.dataFolder, "preview-session.json"));
    expect(session.tempo_bpm).toBe(126);
  });

  test("[N4] another relay, once it is one; until then a sentence", async () => {
    const relay = await startStandIn();
    const { call, now } = await openPanel("http://127.0.0.1:9");
    const refused = await call("PUT", "/control/relay", { address: "http://relay.example" });
    expect(refused.json?.["error"]).toMatch(/https:\/\/.*\.$/);
    expect(now().connection.relayUrl).toBe("http://127.0.0.1:9");
    expect(await call("PUT", "/control/relay", { address: `${relay.url}/` })).toMatchObject({
      status: 200,
    });
    await until(() => now().connection.status === "connected");
    expect(now().connection.relayUrl).toBe(relay.url);
  });

  test("[P8] the computer's name, and what the host is to correct", async () => {
    const relay = await startStandIn();
    const can = { resumes: true };
    const host = { name: "live", can, settings: [CORRECT_TEMPO], place: async () => [] };
    const { call, now } = await openPanel(relay.url, { more: { host } });
    await call("POST", "/control/device-name", { device_name: "Loft" });
    await until(() => now().deviceName === "Loft");
    const change = (id: string) => call("PUT", `/control/host-settings/${id}`, { value: true });
    expect(await change("correct-tempo")).toMatchObject({ status: 200 });
    await until(() => now().host.settings.some(({ value }) => value));
    expect(await change("louder")).toMatchObject({
      status: 404,
      json: { error: "There is no such setting." },
    });
  });
});
