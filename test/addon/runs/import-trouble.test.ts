import { mkdirSync, rmSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LeftBehindError } from "../../../addon/hosts/host.ts";
import { DiskError } from "../../../addon/disk/disk-error.ts";
import { ConnectionLostError, ImportCancelledError } from "../../../core/importer/import-errors.ts";
import { relayPackage } from "../../../addon/packages/package-source.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";
import { IMPATIENCE, passingTime, SILENCE_MS } from "./import-site.ts";
import { noise, type OfferedSound, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const SOUNDS: readonly OfferedSound[] = ["A", "B", "C", "D", "E", "F"].map((name, index) => ({
  name,
  wav: noise(smallWav({ frames: 50_000 }), index),
}));

async function setUp(sounds = SOUNDS) {
  const relay = new SoundRelay();
  const site = await temporarySite();
  const offered = relay.offer("pkg_a", "Kit", sounds);
  return { relay, site, source: () => relayPackage(offered, relay.port()) };
}

describe("an unreachable relay", () => {
  test("[R1] during the download: nothing is placed, and received bytes aren't fetched again", async () => {
    const { relay, site, source } = await setUp();
    relay.spoil("pkg_a-3.wav", { cutAfter: 100 }, 1000);
    const error = await site.import(source(), passingTime()).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConnectionLostError);
    expect(error).toMatchObject({
      code: "CONNECTION_LOST",
      message: expect.stringContaining(
        "The connection was lost. Nothing was placed. Import again to continue. Last problem: ",
      ),
    });
    expect((await site.session()).scenes).toEqual([]);
    expect(relay.reports.size).toBe(0);

    const [before, sent] = [relay.requests.length, new Set(relay.sent)];
    relay.faults.clear();
    expect((await site.import(source())).status).toBe("imported");
    expect(relay.requests.slice(before).filter(({ file }) => sent.has(file))).toEqual([]);
    expect(relay.startsOf("pkg_a-3.wav").at(-1)).toBeGreaterThan(0);
    expect(await site.listSounds()).toHaveLength(SOUNDS.length + 3);
    expect(new Set(relay.takes.map(({ runId }) => runId)).size).toBe(1);
  });

  test("[R1] for longer than four silences: every sound is imported", async () => {
    const { relay, site, source } = await setUp();
    relay.spoil("pkg_a-3.wav", { stallAfter: 0 }, 6);
    const timers = new ManualTimers();
    const importing = site.import(source(), { retryPolicy: { ...IMPATIENCE, timers } });
    for (let tries = 1; tries <= 6; tries += 1) {
      await until(
        () => relay.startsOf("pkg_a-3.wav").length === tries && timers.remaining.length > 0,
      );
      timers.advance(SILENCE_MS);
    }
    expect((await importing).status).toBe("imported");
  });

  test("[S2] when the lease is taken: nothing starts, and the same run retries", async () => {
    const { relay, site, source } = await setUp();
    relay.refuse.take = 409;
    await expect(site.import(source())).rejects.toThrow("No take.");
    delete relay.refuse.take;
    await site.import(source(), { takeOver: true });
    const [first, second] = relay.takes;
    expect(second?.runId).toBe(first?.runId);
    expect([first?.force, second?.force]).toEqual([false, true]);
  });
});

describe("a canceled import", () => {
  test("keeps received bytes and the lease for the next attempt", async () => {
    const { relay, site, source } = await setUp();
    const callOff = new AbortController();
    const running = site.import(source(), {
      signal: callOff.signal,
      onProgress: (each) => void (each.phase === "fetching" && callOff.abort()),
    });
    await expect(running).rejects.toThrow(ImportCancelledError);
    expect((await site.session()).scenes).toEqual([]);
    expect((await site.import(source())).status).toBe("imported");
    expect(new Set(relay.takes.map(({ runId }) => runId)).size).toBe(1);
  });

  test("leaves nothing at the host while it places", async () => {
    const { relay, site, source } = await setUp();
    const callOff = new AbortController();
    const running = site.import(source(), {
      signal: callOff.signal,
      onProgress: (each) => void (each.phase === "placing" && each.placed === 3 && callOff.abort()),
    });
    await expect(running).rejects.toThrow("The import was cancelled.");
    expect(await site.session()).toMatchObject({ scenes: [], tracks: [] });
    expect(relay.reports.size).toBe(0);
    expect((await site.import(source())).status).toBe("imported");
    expect((await site.session()).tracks).toHaveLength(SOUNDS.length);
  });

  test("does nothing if canceled before its start", async () => {
    const { relay, site, source } = await setUp();
    const running = site.import(source(), { signal: AbortSignal.abort() });
    await expect(running).rejects.toThrow(ImportCancelledError);
    expect(relay.takes).toEqual([]);
    expect(await readdir(site.folder)).toEqual([]);
  });

  test("[R4] names what stays if it can't be undone, and the next import resumes it", async () => {
    const { site, source } = await setUp();
    const callOff = new AbortController();
    const running = site.import(source(), {
      faults: { failRemoval: true },
      signal: callOff.signal,
      onProgress: (each) => void (each.phase === "placing" && callOff.abort()),
    });
    await expect(running).rejects.toThrow(LeftBehindError);
    await site.import(source());
    const { scenes, tracks } = await site.session();
    expect([scenes.length, tracks.length]).toEqual([1, SOUNDS.length]);
  });
});

describe("a disk that fails", () => {
  test("[R2] doesn't lose the report after the host has placed everything", async () => {
    const { relay, site, source } = await setUp();
    const outcome = await site.import(source(), {
      onProgress: (each) => {
        if (each.phase === "placing") rmSync(site.sounds, { recursive: true, force: true });
      },
    });
    expect(outcome.status).toBe("imported");
    expect(relay.reports.get("pkg_a")).toMatchObject({ "6": { status: "imported" } });
  });

  test("fails with a sentence if a file is in the sounds folder's place", async () => {
    const { relay, site, source } = await setUp();
    await writeFile(site.sounds, "a file");
    const error = await site.import(source()).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DiskError);
    expect(error).toMatchObject({ message: expect.stringContaining(site.sounds) });
    expect(relay.reports.size).toBe(0);
  });

  test("[F3] places nothing if a sound can't be renamed to its final name", async () => {
    const { site, source } = await setUp();
    const running = site.import(source(), {
      onProgress: ({ phase }) => {
        if (phase === "fetching") mkdirSync(join(site.sounds, "Kit", "F.wav"), { recursive: true });
      },
    });
    await expect(running).rejects.toThrow(DiskError);
    expect((await site.session()).scenes).toEqual([]);
  });
});
