import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as addon from "../../addon/index.ts";
import * as core from "../../core/index.ts";
import * as relay from "../../relay/index.ts";
import { notifierOf } from "../../relay/deprecated.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { VALUES } from "./old-names.ts";

const ENTRIES: Readonly<Record<keyof typeof VALUES, object>> = { core, addon, relay };
const BARE = join(import.meta.dirname, "../../fixtures/packages/bare-minimum");

describe("a script written for 0.1.0", () => {
  test.each(Object.entries(VALUES))("finds every name of soundferry/%s", (entry, names) => {
    const found = Object.keys(ENTRIES[entry as keyof typeof VALUES]);
    expect(names.filter((name) => !found.includes(name))).toEqual([]);
  });

  test("plans and prints a layout under the old names", async () => {
    const json: unknown = JSON.parse(await readFile(join(BARE, "manifest.json"), "utf8"));
    const { manifest, warnings } = core.parseManifest(json, { packageId: "pkg_old" });
    expect(core.needsColourTurn(manifest)).toBe(true);
    const sounds = new Map(
      await Promise.all(
        manifest.items.map(async ({ id, file, bytes }) => {
          const reader = new core.WavHeaderReader(bytes, file);
          reader.push(await readFile(join(BARE, file)));
          return [id, reader.end()] as const;
        }),
      ),
    );
    const layout = core.planLayout({ manifest, warnings, sounds, colourTurn: 1 });
    expect(core.printLayout(layout)).toContain(core.printColour(core.colourOfTurn(1)));
    expect(core.layoutJson(layout).tracks[0]).toMatchObject({
      color_index: core.COLOUR_ROTATION[1],
    });
    expect(core.nearestColour("#ff0000")).toBeTypeOf("number");
    expect(core.printPairingCode("K7MQ2X")).toBe("K7M Q2X");
  });

  test("passes a relay its own notifier under the old name", async () => {
    const rung: string[] = [];
    const doorbell: relay.Doorbell = {
      ring: async (topic) => void rung.push(topic),
      listen: () => () => undefined,
    };
    const environment = {
      SOUNDFERRY_PORT: "0",
      SOUNDFERRY_DATA: await temporaryFolder(),
      SOUNDFERRY_LOG_LEVEL: "silent",
      SOUNDFERRY_MIN_FREE_BYTES: "0",
    };
    const parts: relay.RelayParts = { ports: { doorbell } };
    await using running = await relay.buildRelay(relay.readRelaySettings({ environment }), parts);
    const { url } = await running.listen();
    const call = async (
      path: string,
      body: object,
      token?: string,
    ): Promise<Record<string, string>> => {
      const answer = await fetch(url + path, {
        method: "POST",
        body: JSON.stringify(body),
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      });
      return (await answer.json()) as Record<string, string>;
    };
    const device = await call("/importer/register", { device_name: "Studio" });
    const claim = await call("/importer/pairing-code", {}, device["importer_token"]);
    await call("/pair/claim", { ...claim, app_name: "Looper", app_id: "app-1" });
    expect(rung).toContain(`device:${device["device_id"]}`);
  });

  test("[J6] learns through a doorbell that something may have been missed", async () => {
    const heard: string[] = [];
    const errors: unknown[] = [];
    const doorbell: relay.Doorbell = { ring: async () => undefined, listen: () => () => undefined };
    const notifier = notifierOf(doorbell, (error) => errors.push(error));
    const broken = new Error("broken listener");
    notifier.listen("device:1", () => {
      throw broken;
    });
    const stop = notifier.listen("device:1", () => heard.push("stopped"));
    notifier.listen("package:1", ({ type }) => heard.push(type));
    stop();
    notifier.missed();
    expect([heard, errors]).toEqual([["missed"], [broken]]);
  });
});
