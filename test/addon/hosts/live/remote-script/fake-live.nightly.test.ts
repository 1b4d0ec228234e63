import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../../../sim/until.ts";
import { openFakeLive } from "./fake-live.ts";
import { violationsIn } from "./fake-live-log.ts";
import { CLIP, openProbe, probe, saidIn } from "./probe-live.ts";
import { soon } from "../../../../sim/soon.ts";

const MANY = Array.from({ length: 1000 }, () => "say('tick')");

describe("the loop of the fake Live", () => {
  test("calls update_display in each tick, and Timers between them", async () => {
    const { log } = await probe([
      `
fired = []
def late(): fired.append(1)
timer = Live.Base.Timer(callback=late, interval=30, repeat=True, start=True)
once = Live.Base.Timer(late, 1000)
say(timer.running, once.running)`,
      "say(len(fired))\ntimer.stop()",
      "say(len(fired))",
    ]);
    expect(saidIn(log)).toEqual([true, false, 3, 3]);
    expect(log.callbacks.filter(({ kind }) => kind === "timer")).toHaveLength(3);
    expect(log.callbacks.filter(({ kind }) => kind === "update_display")).toHaveLength(3);
    expect(log.tick).toBe(3);
  });

  test("stops a Timer whose callback raises, and keeps the script unless Live drops it", async () => {
    const raise = "def bad(): 1 / 0\nLive.Base.Timer(bad, 10, True, True)";
    const { log } = await probe([raise, "say('here')", "1 / 0", "say('still here')"]);
    expect(log.faults.map(({ name }) => name)).toEqual(["ERROR_ESCAPES", "ERROR_ESCAPES"]);
    expect(log.faults[0]?.detail).toContain("ZeroDivisionError");
    expect(saidIn(log)).toEqual(["here", "still here"]);
    const dropped = await probe(["1 / 0", "say('here')"], { habits: { dropsScriptOnError: true } });
    expect(dropped.said).toEqual([]);
  });

  test("runs freely, holds while a menu is open, and then ticks in a burst", async () => {
    await using live = await openProbe(MANY, { habits: { realTickMs: 1, burstAfterPause: 7 } });
    await live.run();
    await soon(async () => (await live.log()).tick).toBeGreaterThan(5);
    await live.pause();
    const { tick } = await live.log();
    await live.dump();
    expect((await live.log()).tick).toBe(tick);
    await live.run();
    await live.stop();
    expect((await live.log()).tick).toBeGreaterThanOrEqual(tick + 7);
  });

  test("counts each call, when it was and what it cost; the fake's own time apart", async () => {
    const make = "song().create_scene(-1)\nsong().tempo";
    const { log } = await probe([make, "import time\ntime.sleep(0.05)"], {
      habits: { callMs: { "Song.create_scene": 500 }, sleeps: false },
    });
    expect(log.calls.map(({ number, call, changes }) => [number, call, changes])).toEqual([
      [1, "Song.create_scene", true],
      [2, "Song.tempo", false],
    ]);
    const [first, second] = log.callbacks.filter(({ kind }) => kind === "update_display");
    expect(log.calls[0]).toMatchObject({ callback: first?.number, error: null });
    expect(log.calls[0]?.ms).toBeGreaterThanOrEqual(500);
    expect(first?.ownMs).toBeGreaterThanOrEqual(500);
    expect(first?.wallMs).toBeGreaterThanOrEqual(first?.ownMs ?? 0);
    expect(second).toMatchObject({ calls: 0, ownMs: 0 });
    expect(second?.wallMs).toBeGreaterThanOrEqual(49);
    expect(second?.scriptCpuMs).toBeLessThan(second?.wallMs ?? 0);
    expect(second?.scriptCpuMs).toBeGreaterThan(0);
  });

  test("refuses the calls it should refuse", async () => {
    const create = `attempt("song().create_scene(-1)")`;
    const failing = [{ call: "Song.create_scene", nth: 2, message: "No." }];
    await using live = await openProbe([create, create, create, create], { habits: { failing } });
    await live.tick(3);
    expect(saidIn(await live.log())).toEqual(["done", "RuntimeError: No.", "done"]);
    await live.change({ failing: [{ call: "Song.create_scene" }] });
    await live.tick();
    expect(saidIn(await live.log()).at(-1)).toBe("RuntimeError: Live says no");
    await expect(live.change({ trackHeight: 3 } as object)).rejects.toThrow("trackHeight");
  });
});

describe("the Set of the fake Live", () => {
  test("is saved and opened again with all that it held, and its old objects are gone", async () => {
    const keep = "kept = song()\ntrack = kept.tracks[0]\ntrack.set_data('key', 'value')";
    await using live = await openProbe([`${CLIP}\n${keep}`, "say(track.name)"]);
    await live.tick();
    const before = await live.dump();
    await live.reload();
    const { tracks, scenes, ...rest } = await live.dump();
    expect({ ...rest, scenes, tracks }).toEqual(before);
    expect(tracks[0]?.data).toEqual({ key: "value" });
    const { callbacks } = await live.log();
    expect(callbacks.map(({ kind }) => kind)).toEqual([
      "import",
      "create_instance",
      "update_display",
      "disconnect",
      "create_instance",
    ]);
    await live.reload({ tracks: [{ name: "Other", kind: "audio" }], scenes: [{}], tempo: 99 });
    const other = await live.dump();
    expect(other).toMatchObject({ tempo: 99, selectedTrack: 0 });
    expect(other.tracks.map(({ name }) => name)).toEqual(["Other"]);
  });

  test("changes by a person's hand between ticks", async () => {
    await using live = await openProbe([CLIP]);
    await live.tick();
    await live.edit({ do: "insertTrack", index: 0, name: "Mine" });
    await live.edit({ do: "moveScene", index: 0, to: 3 });
    await live.edit({ do: "renameTrack", index: 1, name: "Renamed" });
    await live.edit({ do: "selectScene", index: 3 });
    await live.edit({ do: "selectTrack", index: 2 });
    await live.edit({ do: "play" });
    const set = await live.dump();
    expect(set.tracks.map(({ name }) => name)).toEqual(["Mine", "Renamed", "2-Audio"]);
    expect(set.tracks[2]?.clips.map((clip) => clip?.name)[3]).toBe("Beat");
    expect(set).toMatchObject({ selectedScene: 3, selectedTrack: 2, isPlaying: true });
    await live.edit({ do: "deleteClip", track: 2, scene: 3 });
    await live.edit({ do: "deleteTrack", index: 0 });
    await live.edit({ do: "deleteScene", index: 0 });
    const after = await live.dump();
    expect(after.tracks[1]?.clips).toEqual([null, null, null, null, null, null, null]);
    await live.edit({ do: "undo" });
    expect((await live.dump()).scenes).toHaveLength(8);
    expect(violationsIn(await live.log())).toEqual([]);
  });
});

describe("the fake Live ends", () => {
  const MAKE = "song().create_scene(-1)\nsong().tempo\nsong().create_audio_track(-1)";

  test.each([
    [{ at: 3, of: "all", when: "before" }, 9, 2],
    [{ at: 3, of: "all", when: "after" }, 9, 3],
    [{ at: 1, of: "changes", when: "before" }, 8, 2],
    [{ at: 1, of: "changes", when: "after" }, 9, 2],
    [{ at: 2, of: "changes", when: "after" }, 9, 3],
  ] as const)("at a call: %j", async ({ at, ...how }, scenes, tracks) => {
    await using live = await openProbe([MAKE]);
    await live.killAt(at, how);
    await expect(live.tick()).rejects.toThrow("killed");
    const { event, set, log } = await live.ended;
    expect([event, set?.scenes.length, set?.tracks.length]).toEqual(["killed", scenes, tracks]);
    expect(log?.callbacks.at(-1)?.kind).toBe("update_display");
    await using again = await openProbe([], { set: set ?? {} });
    expect((await again.dump()).scenes).toHaveLength(scenes);
  });

  test("when it is closed: the script is disconnected, and no Timer goes on", async () => {
    await using live = await openProbe(["Live.Base.Timer(print, 10, True, True)"]);
    await live.tick();
    const log = await live.close();
    expect(log.callbacks.at(-1)?.kind).toBe("disconnect");
    expect(violationsIn(log)).toEqual(["TIMER_OUTLIVES_THE_SCRIPT"]);
    expect((await live.ended).event).toBe("ended");
    await expect(live.tick()).rejects.toThrow("ended");
  });

  test("when it is killed from outside", async () => {
    const live = await openProbe(MANY);
    await live.run();
    await live.kill();
    expect(await live.ended).toEqual({ event: "ended", set: null, log: null });
  });

  test("at once where there is no such Python", async () => {
    const opened = openFakeLive({
      scriptFolder: import.meta.dirname,
      pythonPath: "no-such-python",
    });
    await expect(opened).rejects.toThrow("no-such-python");
  });
});

test("a script that can't be imported or made is a violation, and what it prints is kept apart", async () => {
  await using live = await openFakeLive({
    scriptFolder: import.meta.dirname,
    scriptName: "no_such_script",
  });
  expect(violationsIn(await live.log())).toEqual(["ERROR_ESCAPES"]);
  await using printing = await openProbe(["import sys\nprint('hello')\nsys.stdout.flush()"]);
  await printing.tick();
  await until(() => printing.printed().includes("hello"));
});

test("the fake's files are short, and Python 3.7 can read them", () => {
  const folder = join(import.meta.dirname, "fake-live");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".py"))
    .map((file) => join(folder, file));
  expect(files.length).toBeGreaterThan(15);
  const long = files.filter((file) => readFileSync(file, "utf8").split("\n").length > 300);
  expect(long).toEqual([]);
  const parse =
    "import ast, sys\nfor path in sys.argv[1:]: ast.parse(open(path, encoding='utf-8').read(), path, feature_version=(3, 7))";
  execFileSync("python3", ["-c", parse, ...files]);
});
