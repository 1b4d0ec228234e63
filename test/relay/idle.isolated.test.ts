import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { until } from "../sim/until.ts";
import { HOUR, keptTime } from "./machine-clock.ts";
import { RunningRelay } from "./running-relay.ts";

const SWEEP_MS = 30_000;
const SWEEPS_AN_HOUR = 120;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] }));
afterEach(() => void vi.useRealTimers());

async function startRelay() {
  const relay = await RunningRelay.start({}, { hasOwnClock: true });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const swept = vi.spyOn(relay.relay.context.meter, "swept");
  onTestFinished(() => swept.mockRestore());
  /** Lets a sweep pass. */
  const pass = async () => {
    const before = swept.mock.calls.length;
    await vi.advanceTimersByTimeAsync(SWEEP_MS);
    await until(() => expect(swept.mock.calls).toHaveLength(before + 1));
  };
  return { relay, pass };
}

/** A relay and a connected importer, as `soundferry up` runs them. */
async function startBoth() {
  const { relay, pass } = await startRelay();
  const { importer, timers, folder } = await importerAtWork(relay.url);
  await importer.start();
  await until(() => expect(importer.state.connection.status).toBe("connected"));
  await until(() => expect(importer.state.unread.size).toBe(0));
  const passBoth = async () => {
    for (let ms = 0; ms < SWEEP_MS; ms += 1000) timers.advance(1000);
    await pass();
  };
  return { relay, timers, folder, pass: passBoth };
}

/** Returns when each file in a folder was last written, and its size. */
async function writtenIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const written = names.map(async (name) => {
    const { mtimeNs, ctimeNs, size } = await stat(join(folder, name), { bigint: true });
    return `${name} ${mtimeNs} ${ctimeNs} ${size}`;
  });
  return (await Promise.all(written)).toSorted().join("\n");
}

/** All rows of a relay's database but when a device was last seen, and the kept time. */
function rowsOf({ folder }: RunningRelay): Readonly<Record<string, readonly unknown[]>> {
  using database = new DatabaseSync(join(folder, "relay.sqlite"), { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = tables.map(({ name }) => String(name));
  const rows = names.map((name) => database.prepare(`SELECT * FROM "${name}"`).all());
  for (const device of rows[names.indexOf("devices")] ?? []) device["last_seen_at"] = 0;
  const upkeep = rows[names.indexOf("upkeep")] ?? [];
  for (const row of upkeep) if (row["name"] === "time") row["value"] = "";
  return Object.fromEntries(names.map((name, index) => [name, rows[index] ?? []]));
}

describe("[Z17] while nothing happens", () => {
  test("a relay keeps its time twice in an hour, and once after a change, and writes nothing else", async () => {
    const { relay, pass } = await startRelay();
    // What the start has done is kept first.
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await pass();
    const states: { readonly written: string; readonly time: number | undefined }[] = [];
    for (let sweeps = 0; sweeps <= SWEEPS_AN_HOUR; sweeps += 1) {
      const state = { written: await writtenIn(relay.folder), time: await keptTime(relay) };
      if (state.written !== states.at(-1)?.written) states.push(state);
      await pass();
    }
    const [first = 0, ...later] = states.map(({ time }) => time);
    expect(later).toEqual([first + HOUR / 2, first + HOUR]);
    const now = Date.now();
    await relay.register();
    await pass();
    expect(await keptTime(relay)).toBeGreaterThan(now);
  });

  test("a connected importer writes nothing in an hour, and its relay only when it was seen", async () => {
    const { relay, folder, pass } = await startBoth();
    await pass();
    await pass();
    const before = [await writtenIn(folder), rowsOf(relay)];
    for (let sweeps = 0; sweeps < SWEEPS_AN_HOUR; sweeps += 1) await pass();
    expect([await writtenIn(folder), rowsOf(relay)]).toEqual(before);
  });

  test("no timer of both is shorter than a second", async () => {
    const intervals = vi.spyOn(globalThis, "setInterval");
    const { timers, pass } = await startBoth();
    await pass();
    const timeouts = vi.spyOn(globalThis, "setTimeout");
    const delays = vi.spyOn(timers, "after");
    for (let sweeps = 0; sweeps < 4; sweeps += 1) await pass();
    const set = [
      ...intervals.mock.calls.map(([, ms]) => ms),
      ...timeouts.mock.calls.map(([, ms]) => ms),
      ...delays.mock.calls.map(([ms]) => ms),
    ];
    vi.restoreAllMocks();
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((ms = 0) => ms < 1000)).toEqual([]);
  });
});
