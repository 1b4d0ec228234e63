import { existsSync, mkdirSync, rmSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LeftBehindError } from "../../../addon/hosts/host.ts";
import { DiskError } from "../../../addon/disk/disk-error.ts";
import { ImportCancelledError } from "../../../addon/runs/import-errors.ts";
import { relayPackage } from "../../../addon/packages/relay-package.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../until.ts";
import { IMPATIENCE, SILENCE_MS } from "./import-site.ts";
import { noise, type OfferedSound, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const SOUNDS: readonly OfferedSound[] = ["A", "B", "C", "D", "E", "F"].map((name, index) => ({
  name,
  wav: noise(smallWav({ frames: 50_000 }), index),
}));

async function setUp(sounds = SOUNDS) {
  const relay = await SoundRelay.start();
  const site = await temporarySite();
  const offered = relay.offer("pkg_a", "Kit", sounds);
  return { relay, site, source: () => relayPackage(offered, relay.port()) };
}

describe("a relay that is not there", () => {
  test("[R1] in the middle of the download: nothing is placed, and what came is not fetched again", async () => {
    const { relay, site, source } = await setUp();
    relay.spoil("pkg_a-3.wav", { cutAfter: 10_000 }, 4);
    const running = site.import(source(), {
      onProgress: ({ phase }) => {
        if (phase === "taken") relay.refuse.take = 503;
      },
    });
    await expect(running).rejects.toThrow("No take.");
    expect((await site.session()).scenes).toEqual([]);
    expect(relay.reports.size).toBe(0);

    const before = relay.requests.length;
    delete relay.refuse.take;
    relay.faults.clear();
    expect((await site.import(source())).status).toBe("imported");
    expect(relay.requests.length - before).toBeLessThanOrEqual(4);
    expect(relay.rangesOf("pkg_a-3.wav").at(-1)).toMatch(/^bytes=\d+-$/);
    expect(await site.listSounds()).toHaveLength(SOUNDS.length + 1);
  });

  test("[R1] for one sound only: that one is skipped", async () => {
    const { relay, site, source } = await setUp();
    relay.spoil("pkg_a-3.wav", { stallAfter: 0 }, 4);
    const timers = new ManualTimers();
    const importing = site.import(source(), { retryPolicy: { ...IMPATIENCE, timers } });
    const others = ["A", "B", "D", "E", "F"].map((name) => join(site.sounds, "Kit", `${name}.wav`));
    await until(() => others.every((path) => existsSync(path)));
    for (let tries = 1; tries <= 4; tries += 1) {
      await until(
        () => relay.rangesOf("pkg_a-3.wav").length === tries && timers.remaining.length > 0,
      );
      timers.advance(SILENCE_MS);
    }
    const { status, tracks } = await importing;
    expect(status).toBe("partial");
    expect(tracks[2]).toMatchObject({
      status: "skipped",
      error: "pkg_a-3.wav: no data for 30 s.",
    });
  });

  test("[S2] when it is taken: nothing is begun, and the same run asks again", async () => {
    const { relay, site, source } = await setUp();
    relay.refuse.take = 409;
    await expect(site.import(source())).rejects.toThrow("No take.");
    delete relay.refuse.take;
    await site.import(source(), { takeOver: true });
    const [first, second] = relay.takes;
    expect(second?.runId).toBe(first?.runId);
    expect([first?.force, second?.force]).toEqual([false, true]);
  });

  test("[R2] when it is told the results: they wait, and go out before the next import", async () => {
    const { relay, site, source } = await setUp();
    relay.refuse.report = 500;
    const told: unknown[] = [];
    const outcome = await site.import(source(), { onProgress: (each) => told.push(each) });
    expect(outcome.status).toBe("imported");
    expect(told.at(-1)).toEqual({ phase: "reported", isKnown: false });
    expect(await site.outbox().packageIds(relay.port())).toEqual(["pkg_a"]);
    delete relay.refuse.report;
    await site.outbox().flush(relay.port());
    expect(relay.reports.get("pkg_a")).toMatchObject({ "1": { status: "imported" } });
    expect(await site.outbox().packageIds(relay.port())).toEqual([]);
  });

  test("[R2] and has not heard the results yet: it hears them before it is asked again", async () => {
    const { relay, site, source } = await setUp();
    relay.refuse.report = 500;
    await site.import(source());
    delete relay.refuse.report;
    relay.refuse.take = 503;
    await expect(site.import(source())).rejects.toThrow("No take.");
    expect(relay.reports.get("pkg_a")).toMatchObject({ "1": { status: "imported" } });
  });
});

describe("an import that is called off", () => {
  test("while it fetches keeps what came and holds the package for the next try", async () => {
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

  test("while it places leaves nothing at the host", async () => {
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

  test("before it began does nothing at all", async () => {
    const { relay, site, source } = await setUp();
    const running = site.import(source(), { signal: AbortSignal.abort() });
    await expect(running).rejects.toThrow(ImportCancelledError);
    expect(relay.takes).toEqual([]);
    expect(await readdir(site.folder)).toEqual([]);
  });

  test("[R4] and can't be undone says what stays, and the next import resumes", async () => {
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
  test("[R2] after the host has placed all does not lose the report", async () => {
    const { relay, site, source } = await setUp();
    const outcome = await site.import(source(), {
      onProgress: (each) => {
        if (each.phase === "placing") rmSync(site.sounds, { recursive: true, force: true });
      },
    });
    expect(outcome.status).toBe("imported");
    expect(relay.reports.get("pkg_a")).toMatchObject({ "6": { status: "imported" } });
  });

  test("has a file where the sounds folder should be", async () => {
    const { relay, site, source } = await setUp();
    await writeFile(site.sounds, "a file");
    const error = await site.import(source()).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DiskError);
    expect(error).toMatchObject({ message: expect.stringContaining(site.sounds) });
    expect(relay.reports.size).toBe(0);
  });

  test("[F3] can't give a sound its final name: nothing is placed", async () => {
    const { site, source } = await setUp();
    const running = site.import(source(), {
      onProgress: ({ phase }) => {
        if (phase === "fetching") mkdirSync(join(site.sounds, "Kit", "F.wav"), { recursive: true });
      },
    });
    await expect(running).rejects.toThrow(DiskError);
    expect((await site.session()).scenes).toEqual([]);
  });

  test("has a folder where a sound's part should be: nothing is placed", async () => {
    const { site, source } = await setUp();
    await mkdir(join(site.sounds, "Kit", "B.wav.part"), { recursive: true });
    await writeFile(
      join(site.sounds, "Kit", ".soundferry.json"),
      JSON.stringify({ package_id: "pkg_a", title: "Kit", files: [], played: [] }),
    );
    await expect(site.import(source())).rejects.toThrow(DiskError);
    expect((await site.session()).scenes).toEqual([]);
  });
});
