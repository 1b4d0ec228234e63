import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readPreviewSession } from "../../../addon/hosts/preview/preview-session.ts";
import { ImportCancelledError } from "../../../core/importer/import-errors.ts";
import {
  ImporterRunsError,
  openImporter,
  type OpenedImporter,
  type RunningImporter,
  startImporter,
} from "../../../addon/control/open-importer.ts";
import { gatedHost } from "../paused-host.ts";
import { importerOptions, type WorkOptions, writeLocalPackage } from "../importer-at-work.ts";
import { startStandIn } from "../relay/linked-client.ts";
import { offerPackage } from "../relay/packages-to-import.ts";
import { until } from "../../sim/until.ts";

async function running(relayUrl: string, work?: WorkOptions) {
  const options = await importerOptions(relayUrl, work);
  const started: RunningImporter = await startImporter(options);
  onTestFinished(() => started.close());
  return { ...started, options, folder: options.folder };
}

async function opened(relayUrl: string, folder: string): Promise<OpenedImporter> {
  const opened = await openImporter(await importerOptions(relayUrl, { folder }));
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return opened;
}

describe("one owner of a data folder", () => {
  test("[R3] a second importer gets an error that names the first, and harms nothing", async () => {
    const relay = await startStandIn();
    const first = await running(relay.url);
    const second = startImporter(first.options);
    await expect(second).rejects.toBeInstanceOf(ImporterRunsError);
    await expect(second).rejects.toThrow(
      new RegExp(`process ${process.pid}.*SOUNDFERRY_IMPORTER_DATA`),
    );
    await first.importer.apps();
  });

  test("[R3] when it stops, the folder is free; nothing but what it keeps is left there", async () => {
    const relay = await startStandIn();
    const first = await running(relay.url);
    await until(() => relay.callsTo("GET", "/importer/apps").length > 0);
    await first.close();
    expect(await readdir(first.options.settings.dataFolder)).toEqual([
      "config.json",
      "importer.lock.held",
    ]);
    const next = await startImporter(first.options);
    await next.close();
  });

  test("[R3] a new one starts right after one was killed", async () => {
    const relay = await startStandIn();
    const first = await running(relay.url);
    const path = join(first.options.settings.dataFolder, "importer.lock");
    const left = await readFile(path, "utf8");
    await first.close();
    await writeFile(path, left);
    const next = await startImporter(first.options);
    await next.close();
  });

  test("[R3] an unusable folder throws a sentence, and a port in use leaves no lock", async () => {
    const relay = await startStandIn();
    const first = await running(relay.url);
    const other = await importerOptions(relay.url, { settings: { panelPort: first.port } });
    await expect(startImporter(other)).rejects.toThrow(/is in use by another program/);
    expect(await readdir(other.settings.dataFolder)).toEqual(["importer.lock.held"]);
    const inFile = join(first.folder, "file");
    await writeFile(inFile, "");
    const unusable = await importerOptions(relay.url, {
      settings: { dataFolder: join(inFile, "data") },
    });
    await expect(openImporter(unusable)).rejects.toThrow(/SOUNDFERRY_IMPORTER_DATA can't be used/);
  });
});

describe("where its panel is", () => {
  test("[N1] at a port and with a secret that both stand in its address; another secret at each start", async () => {
    const relay = await startStandIn();
    const first = await running(relay.url);
    expect(first.panelUrl).toBe(`http://127.0.0.1:${first.port}/#${first.secret}`);
    expect(first.secret).toMatch(/^[\w-]{43}$/);
    await first.close();
    const next = await startImporter(first.options);
    onTestFinished(() => next.close());
    expect(next.secret).not.toBe(first.secret);
  });
});

describe("asking the one that runs", () => {
  test("[R3][P7] its code, its apps, its name and its packages, and unpairing", async () => {
    const relay = await startStandIn();
    const times = {
      paired_at: "2026-11-21T12:00:00.000Z",
      last_seen_at: "2026-11-21T12:00:00.000Z",
      waiting_packages: 0,
    };
    relay.apps.push({ pairing_id: "a/b", app_name: "Looper", ...times });
    offerPackage(relay, "pkg_1_____________________", ["Kick"]);
    const { importer: own, folder } = await running(relay.url);
    const { importer, isElsewhere } = await opened(relay.url, folder);
    expect(isElsewhere).toBe(true);
    const code = await importer.pairingCode();
    expect(own.state.pairing.code).toEqual(code);
    expect(await importer.apps()).toEqual({ apps: relay.apps });
    await importer.unpair("a/b");
    expect(relay.apps).toEqual([]);
    expect(await importer.rename("Loft")).toBe("Loft");
    expect(own.state.deviceName).toBe("Loft");
    expect(await importer.packages()).toEqual(await own.packages());
    expect(relay.devices.size).toBe(1);
  });

  test("[R3] an import there, followed from here", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { importer: own, folder } = await running(relay.url);
    const { importer } = await opened(relay.url, folder);
    const phases = new Set<string>();
    const outcome = await importer.import("pkg_1_____________________", {
      onProgress: ({ title, progress }) => phases.add(`${title} ${progress.phase}`),
    });
    expect(outcome).toMatchObject({ package_id: "pkg_1_____________________", status: "imported" });
    expect([...phases]).toContain("Kit 1 placing");
    expect(own.state.finished).toMatchObject([{ result: { outcome } }]);
    offerPackage(relay, "pkg_2_____________________", ["Kick"]);
    expect(await importer.importAll()).toMatchObject({
      packages: [{ package_id: "pkg_2_____________________" }],
      failures: [],
    });
  });

  test("[R3][R6] an import that sets the session's tempo there", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const { folder, options } = await running(relay.url);
    const { importer } = await opened(relay.url, folder);
    await importer.import("pkg_1_____________________", { sessionTempoBpm: 126 });
    const path = join(options.settings.dataFolder, "preview-session.json");
    expect(await readPreviewSession(path)).toMatchObject({ tempo_bpm: 126 });
  });

  test("[R3] a folder is named as seen from here", async () => {
    const relay = await startStandIn();
    const { folder } = await running(relay.url);
    const { importer } = await opened(relay.url, folder);
    const path = await writeLocalPackage(join(folder, "one"), "One", ["Kick"]);
    const outcome = await importer.import(relative(process.cwd(), path));
    expect(outcome).toMatchObject({ status: "imported", scene: { name: "One (Looper)" } });
  });

  test("[R3] its errors come over with sentence, status and code", async () => {
    const relay = await startStandIn();
    const { folder } = await running(relay.url);
    const { importer } = await opened(relay.url, folder);
    await expect(importer.unpair("none")).rejects.toMatchObject({
      message: "This app isn't paired with this computer.",
      status: 404,
      code: "PAIRING_UNKNOWN",
    });
    await expect(importer.import("pkg_none__________________")).rejects.toThrow(
      /has no package pkg_none__________________/,
    );
  });

  test("[R3] disconnecting cancels the import", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const gate = gatedHost();
    const { importer: own, folder } = await running(relay.url, { more: { host: gate.host } });
    const { importer } = await opened(relay.url, folder);
    const abort = new AbortController();
    const importing = importer.import("pkg_1_____________________", { signal: abort.signal });
    await gate.reached;
    abort.abort();
    await expect(importing).rejects.toBeInstanceOf(ImportCancelledError);
    await until(() => own.state.finished.length === 1);
    expect(own.state.finished).toMatchObject([{ result: { error: "The import was cancelled." } }]);
  });

  test("[R3] an importer that stops during a call, or is gone, throws a sentence", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const gate = gatedHost();
    const first = await running(relay.url, { more: { host: gate.host } });
    const { importer } = await opened(relay.url, first.folder);
    const settled = Promise.allSettled([importer.import("pkg_1_____________________")]);
    await gate.reached;
    await first.close();
    expect(await settled).toMatchObject([{ reason: { message: "The import was cancelled." } }]);
    await expect(importer.apps()).rejects.toThrow(/running importer isn't responding/);
  });
});

describe("doing the work itself", () => {
  test("[R3] works without a running one: it leaves nothing running and frees the folder", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const options = await importerOptions(relay.url);
    const { importer, isElsewhere, ...rest } = await openImporter(options);
    expect(isElsewhere).toBe(false);
    expect(await importer.importAll()).toMatchObject({ packages: [{ status: "imported" }] });
    await rest[Symbol.asyncDispose]();
    expect(await readdir(options.settings.dataFolder)).not.toContain("importer.lock");
    expect(relay.openSockets).toEqual([]);
  });

  test("[R3] two short calls at once share one importer; the first waits for what the second asked", async () => {
    const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
    const gate = gatedHost();
    const options = await importerOptions(relay.url, { more: { host: gate.host } });
    const first = await openImporter(options);
    const second = await opened(relay.url, options.folder);
    expect([first.isElsewhere, second.isElsewhere]).toEqual([false, true]);
    const importing = second.importer.import("pkg_1_____________________");
    await gate.reached;
    const disposed = first[Symbol.asyncDispose]();
    gate.open();
    expect(await importing).toMatchObject({ status: "imported" });
    await disposed;
  });

  test("[R3] a long-running importer waits for a short call to end", async () => {
    const relay = await startStandIn();
    const options = await importerOptions(relay.url);
    const brief = await openImporter(options);
    const starting = startImporter(options);
    await brief.importer.apps();
    await brief[Symbol.asyncDispose]();
    const started = await starting;
    await started.close();
  });

  test("[R3] many concurrent calls each get an answer", async () => {
    const relay = await startStandIn();
    const options = await importerOptions(relay.url);
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const one = await openImporter(options);
        onTestFinished(() => one[Symbol.asyncDispose]());
        return one.importer.apps();
      }),
    );
    expect(answers).toEqual(Array.from({ length: 6 }, () => ({ apps: [] })));
    expect(relay.devices.size).toBe(1);
  });
});
