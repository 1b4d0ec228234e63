import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { IN_PREVIEW } from "../../../addon/hosts/preview/preview-host.ts";
import { relayPackage } from "../../../addon/packages/package-source.ts";
import { COLOR_ROTATION } from "../../../core/layout/palette.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";
import { IMPATIENCE, type ImportSite, SILENCE_MS } from "./import-site.ts";
import { noise, type OfferedSound, SoundRelay } from "./sound-relay.ts";
import { temporarySite } from "./temporary-site.ts";

const ONE_SECOND = 44_100;

function sound(name: string, more: OfferedSound["more"] = {}): OfferedSound {
  return { name, wav: noise(smallWav({ frames: ONE_SECOND * 2 }), name.length), more };
}

async function setUp(sounds: readonly OfferedSound[], title = "Night Drive") {
  const relay = new SoundRelay();
  const site = await temporarySite();
  const offered = relay.offer("pkg_a", title, sounds);
  return { relay, site, offered, source: () => relayPackage(offered, relay.port()) };
}

test("[S7] a package becomes a folder, a scene, a track per sound and a report", async () => {
  const loop = { kind: "loop", role: "drums", bpm: 120, color: "#ff0000", gain_db: -3, id: "beat" };
  const { relay, site, source } = await setUp([sound("Beat", loop), sound("Kick")]);
  const outcome = await site.import(source());

  expect(outcome).toEqual({
    package_id: "pkg_a",
    status: "imported",
    scene: { name: "Night Drive (Looper)" },
    folder: join(site.sounds, "Night Drive"),
    tracks: [
      {
        id: "beat",
        status: "imported",
        track: "Beat (Looper)",
        clip: "Beat",
        file: "Beat.wav",
        kind: "loop",
        warping: true,
        warp_mode: "beats",
        looping: true,
        loop_beats: 4,
        tempo_bpm: 120,
        color_index: expect.any(Number),
        gain_db: -3,
        path: "Night Drive/Beat.wav",
        notes: [IN_PREVIEW],
        differences: [],
        error: null,
      },
      expect.objectContaining({ id: "2", kind: "oneshot", warp_mode: null, tempo_bpm: null }),
    ],
  });
  expect(await site.listSounds()).toEqual([
    join("Night Drive", ".soundferry.json"),
    join("Night Drive", "Beat.wav"),
    join("Night Drive", "Kick.wav"),
    join("Night Drive", "Night Drive.dawproject"),
    join("Night Drive", "manifest.json"),
  ]);
  const { scenes, tracks } = await site.session();
  expect(scenes.map(({ name }) => name)).toEqual(["Night Drive (Looper)"]);
  expect(tracks.map(({ name }) => name)).toEqual(["Beat (Looper)", "Kick (Looper)"]);
  expect(relay.reports.get("pkg_a")).toEqual({
    beat: {
      status: "imported",
      track: "Beat (Looper)",
      file: "Beat.wav",
      path: "Night Drive/Beat.wav",
      notes: [IN_PREVIEW],
    },
    "2": expect.objectContaining({ status: "imported", track: "Kick (Looper)" }),
  });
  expect(await site.outbox().packageIds(relay.port())).toEqual([]);
});

test("[S7] differences at the host are in the outcome and the report", async () => {
  const { relay, site, source } = await setUp([sound("Kick")]);
  const holdOtherwise = new Map([["1", { color_index: 3, name: "Kick-1" }]]);
  const { tracks } = await site.import(source(), { faults: { holdOtherwise } });
  const differences = [
    { setting: "clip", asked: "Kick", got: "Kick-1" },
    { setting: "color_index", asked: COLOR_ROTATION[0], got: 3 },
  ];
  expect(tracks[0]).toMatchObject({ status: "imported", differences });
  expect(relay.reports.get("pkg_a")?.["1"]).toMatchObject({ status: "imported", differences });
});

describe("one sound's problem", () => {
  test("[R1][S7] skips that sound with its reason, and the rest goes on", async () => {
    const { relay, site, source } = await setUp([
      sound("A"),
      sound("BB"),
      sound("CCC"),
      sound("DD"),
    ]);
    relay.faults.set("pkg_a-1.wav", [{ status: 404, code: "FILE_UNKNOWN" }]);
    relay.spoil("pkg_a-3.wav", { instead: noise(smallWav({ frames: ONE_SECOND * 2 }), 99) }, 2);
    const { status, tracks } = await site.import(source(), { faults: { failSounds: ["4"] } });
    expect(status).toBe("partial");
    expect(tracks.map((track) => [track.status, track.error])).toEqual([
      ["skipped", "No such file."],
      ["imported", null],
      ["skipped", "pkg_a-3.wav: checksum doesn't match the announced one."],
      ["failed", "Preview couldn't make the clip DD."],
    ]);
    expect(relay.reports.get("pkg_a")).toMatchObject({
      "1": { status: "skipped", error: "No such file." },
      "3": { status: "skipped" },
      "4": { status: "failed", error: "Preview couldn't make the clip DD." },
    });
    const names = (await site.session()).tracks.map(({ name }) => name);
    expect(names).toEqual(["BB (Looper)"]);
  });

  test("[R1] an invalid sound in a relay's manifest is the only one skipped", async () => {
    const { site, relay, offered } = await setUp([sound("A"), sound("BB")]);
    const [first, second] = offered.manifest.items;
    const items = [{ ...first, file: "../../evil.wav" }, second] as typeof offered.manifest.items;
    const spoilt = { ...offered, manifest: { ...offered.manifest, items } };
    const { tracks } = await site.import(relayPackage(spoilt, relay.port()));
    expect(tracks.map(({ status }) => status)).toEqual(["skipped", "imported"]);
    expect(await readdir(site.folder)).toEqual(["data", "sounds"]);
  });
});

test("[F3] four sounds are fetched at the same time", async () => {
  const sounds = Array.from({ length: 8 }, (_, index) => sound("x".repeat(index + 1)));
  const { relay, site, source, offered } = await setUp(sounds);
  for (const { file } of offered.manifest.items) relay.faults.set(file, [{ stallAfter: 0 }]);
  const timers = new ManualTimers();
  const importing = site.import(source(), { retryPolicy: { ...IMPATIENCE, timers } });
  // Four stall, are asked for again and come; then the other four.
  for (const requests of [4, 12]) {
    await until(() => relay.requests.length === requests && timers.remaining.length === 4);
    timers.advance(SILENCE_MS);
  }
  expect((await importing).status).toBe("imported");
  expect(relay.mostAtOnce).toBe(4);
});

describe("the package's color", () => {
  const colors = async (site: ImportSite) =>
    (await site.session()).tracks.map((track) => Object.values(track.clip_slots)[0]?.color_index);

  test("[T4] takes no turn where every sound has a color of its own", async () => {
    const { relay, site, source } = await setUp([sound("A", { color: "#00ff00" })]);
    await site.import(source());
    await site.import(relayPackage(relay.offer("pkg_b", "B", [sound("C")]), relay.port()));
    expect((await colors(site))[1]).toBe(COLOR_ROTATION[0]);
  });

  test("[T4] takes a turn where only one sound has none", async () => {
    const { relay, site, source } = await setUp([sound("A", { color: "#00ff00" }), sound("BB")]);
    await site.import(source());
    await site.import(relayPackage(relay.offer("pkg_b", "B", [sound("C")]), relay.port()));
    expect((await colors(site)).slice(1)).toEqual(COLOR_ROTATION.slice(0, 2));
  });
});
