import { cp, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  buildImporter,
  PreviewHost,
  readImporterSettings,
  readPreviewSession,
} from "../../addon/index.ts";
import { buildRelay, readRelaySettings } from "../../relay/index.ts";
import { openStoredSettings } from "../../addon/state/stored-settings.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { smallWav } from "../wav-bytes.ts";

const DATA = join(import.meta.dirname, "../../fixtures/data-0.1.0");

interface Made {
  readonly made_at: string;
  readonly app_token: string;
  readonly packages: Readonly<Record<"imported" | "waiting" | "uploading" | "unreported", string>>;
}

/** A current relay and importer on a copy of 0.1.0's data, a minute after it stopped. */
async function resume() {
  const made: Made = JSON.parse(await readFile(join(DATA, "made.json"), "utf8"));
  const now = () => Date.parse(made.made_at) + 60_000;
  const folder = await temporaryFolder();
  await cp(DATA, folder, { recursive: true });
  const environment = {
    SOUNDFERRY_PORT: "0",
    SOUNDFERRY_DATA: join(folder, "relay"),
    SOUNDFERRY_MIN_FREE_BYTES: "0",
  };
  const relay = await buildRelay(readRelaySettings({ environment }), {
    log: pino({ level: "silent" }),
    ports: { clock: { now } },
  });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const { url } = await relay.listen();
  await fillIn(join(folder, "importer"), { "{folder}": folder, "{relay}": url });
  const settings = readImporterSettings({
    environment: {
      SOUNDFERRY_RELAY_URL: url,
      SOUNDFERRY_IMPORTER_DATA: join(folder, "importer"),
      SOUNDFERRY_SOUNDS: join(folder, "sounds"),
    },
    stored: openStoredSettings(join(folder, "importer")).settings(),
  });
  const session = join(folder, "importer", "preview-session.json");
  const importer = buildImporter({ settings, host: new PreviewHost(session), now });
  onTestFinished(() => importer.close());
  const call = async (method: string, path: string, body?: Uint8Array<ArrayBuffer>) => {
    const headers = { authorization: `Bearer ${made.app_token}` };
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const json = (await answer.json()) as { status?: string; missing?: string[] };
    return { status: answer.status, json };
  };
  return { folder, url, session, settings, importer, call, ...made.packages };
}

/** Replaces the placeholders for paths and addresses in 0.1.0's files. */
async function fillIn(folder: string, values: Readonly<Record<string, string>>): Promise<void> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile())) {
    const path = join(file.parentPath, file.name);
    let text = await readFile(path, "utf8");
    for (const [mark, value] of Object.entries(values)) text = text.replaceAll(mark, value);
    await writeFile(path, text);
  }
}

describe("data folders made by 0.1.0", () => {
  test("[Z1] the relay gives database and sounds their id without a word", async () => {
    const { url, folder } = await resume();
    const hello = (await (await fetch(`${url}/importer/hello`)).json()) as { instance?: string };
    const marker = await readFile(join(folder, "relay", "sounds", "instance"), "utf8");
    expect(marker).toBe(`${hello.instance}\n`);
  });

  test("the relay still knows its apps, packages and results", async () => {
    const { call, imported, waiting } = await resume();
    expect((await call("GET", "/app/me")).json).toMatchObject({ device_name: "Old Studio" });
    const done = await call("GET", `/packages/${imported}/status`);
    expect(done.json).toMatchObject({
      status: "imported",
      results: { "1": { status: "imported" } },
    });
    expect((await call("GET", `/packages/${waiting}/status`)).json.status).toBe("waiting");
  });

  test("an interrupted upload resumes where it stopped", async () => {
    const { call, uploading } = await resume();
    const early = await call("POST", `/packages/${uploading}/commit`);
    expect([early.status, early.json.missing]).toEqual([409, ["lead.wav"]]);
    await call("PUT", `/packages/${uploading}/files/lead.wav`, new Uint8Array(smallWav()));
    expect((await call("POST", `/packages/${uploading}/commit`)).status).toBe(200);
  });

  test("the importer keeps its identity, its settings and its history", async () => {
    const { importer, settings } = await resume();
    expect((await importer.apps()).apps.map(({ app_name }) => app_name)).toEqual(["Looper"]);
    expect([settings.deviceName, settings.correctsTempo]).toEqual(["Old Studio", true]);
    expect(importer.state.finished).toHaveLength(2);
  });

  test("a pending report of the old importer is delivered", async () => {
    const { importer, call, unreported } = await resume();
    expect((await call("GET", `/packages/${unreported}/status`)).json.status).toBe("waiting");
    await importer.packages();
    expect((await call("GET", `/packages/${unreported}/status`)).json.status).toBe("imported");
  });

  test("[R4] imports only packages that the old importer hasn't placed, in the next colour", async () => {
    const { importer, session, waiting } = await resume();
    const before = await readPreviewSession(session);
    const { packages, failures } = await importer.importAll();
    expect(failures).toEqual([]);
    expect(packages.map(({ package_id }) => package_id)).toEqual([waiting]);
    const after = await readPreviewSession(session);
    expect(after.scenes).toHaveLength(before.scenes.length + 1);
    const colors = after.tracks.map(({ clip_slots }) => Object.values(clip_slots)[0]?.color_index);
    expect(new Set(colors).size).toBe(3);
  });
});
