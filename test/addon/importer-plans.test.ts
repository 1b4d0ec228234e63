import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Importer } from "../../addon/importer.ts";
import { COLOR_ROTATION } from "../../core/layout/palette.ts";
import { smallWav } from "../wav-bytes.ts";
import { importerAtWork, writeLocalPackage } from "./importer-at-work.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import type { StandInRelay } from "./relay/stand-in-relay.ts";
import { until } from "../sim/until.ts";

const NEVER = new AbortController().signal;

async function setUp(names: readonly string[] = ["Kick", "Snare"]) {
  const relay = await startStandIn();
  offerPackage(relay, "pkg_1_____________________", names);
  const work = await importerAtWork(relay.url);
  return { ...work, relay };
}

function downloadsFrom(relay: StandInRelay): readonly string[] {
  return relay.calls.filter(({ path }) => path.includes("/files/")).map(({ path }) => path);
}

async function colorsOf(importer: Importer, packageId: string) {
  const { layout } = await importer.plan(packageId);
  return layout.tracks.map((track) => ("error" in track ? null : track.colorIndex));
}

async function read(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe("a package's plan", () => {
  test("[N6] includes the headers before an import; takes no lease and writes nothing", async () => {
    const { importer, relay, settings } = await setUp();
    const files = await readdir(settings.dataFolder);
    const { layout, sounds } = await importer.plan("pkg_1_____________________");
    expect(layout.scene.name).toBe("Kit 1 (Looper)");
    expect(layout.tracks).toMatchObject([
      { trackName: "Kick (Looper)", warping: false },
      { trackName: "Snare (Looper)", warping: false },
    ]);
    expect(sounds.get("1")).toMatchObject({ sampleRateHz: 44_100, channels: 1, frames: 1000 });
    expect(relay.callsTo("POST", "/importer/packages/pkg_1_____________________/take")).toEqual([]);
    // The relay's token, and the turn that the package took when it was listed.
    const learned = ["config.json", "color-turns.json"];
    expect((await readdir(settings.dataFolder)).sort()).toEqual([...files, ...learned].sort());
    await expect(readdir(settings.soundsFolder)).rejects.toThrow("ENOENT");
    expect([importer.state.runs, importer.state.finished]).toEqual([[], []]);
  });

  test("[N6][T4] has the colors of the import, whichever package is imported first", async () => {
    const { importer, relay, session } = await setUp(["Kick"]);
    offerPackage(relay, "pkg_2_____________________", ["Snare"]);
    const [first, second] = COLOR_ROTATION;
    const planned = async () => [
      await colorsOf(importer, "pkg_1_____________________"),
      await colorsOf(importer, "pkg_2_____________________"),
    ];
    expect(await planned()).toEqual([[first], [second]]);
    await importer.import("pkg_2_____________________");
    expect(await planned()).toEqual([[first], [second]]);
    await importer.import("pkg_1_____________________");
    const placed = (await session()).tracks.flatMap((track) => Object.values(track.clip_slots));
    expect(placed.map(({ color_index }) => color_index)).toEqual([second, first]);
  });

  test("[N6] opens each sound once, however often the plan is read", async () => {
    const names = Array.from({ length: 9 }, (_, index) => `Sound ${index}`);
    const { importer, relay } = await setUp(names);
    await Promise.all([
      importer.plan("pkg_1_____________________"),
      importer.plan("pkg_1_____________________"),
    ]);
    await importer.plan("pkg_1_____________________");
    expect(downloadsFrom(relay)).toHaveLength(9);
    expect(new Set(downloadsFrom(relay)).size).toBe(9);
  });

  test("[N6] fetches only the header of each sound", async () => {
    const { importer, relay } = await setUp(["Pad"]);
    const [offered] = relay.packages;
    const [path = ""] = relay.files.keys();
    const wav = smallWav({ frames: 50_000_000 });
    relay.files.set(path, wav);
    const items = offered?.manifest.items.map((item) => ({ ...item, bytes: wav.length })) ?? [];
    Object.assign(offered?.manifest ?? {}, { items });
    const { sounds } = await importer.plan("pkg_1_____________________");
    expect(sounds.get("1")).toMatchObject({ frames: 50_000_000 });
    await until(() => relay.hungUp.includes(path));
  });

  test("[N6] a sound that can't be used has its reason in its place", async () => {
    const { importer, relay } = await setUp(["Kick", "Snare", "Hat"]);
    const [kick = "", snare = ""] = relay.files.keys();
    relay.files.set(kick, Buffer.alloc(relay.files.get(kick)?.length ?? 0, "x"));
    relay.files.delete(snare);
    const { layout, sounds } = await importer.plan("pkg_1_____________________");
    expect(layout.tracks.map((track) => ("error" in track ? track.error : null))).toEqual([
      expect.stringMatching(/^1\.wav: .*\.$/),
      "There is no such package.",
      null,
    ]);
    expect(sounds.get("1")).toHaveProperty("error");
  });

  test("[N6] reports a relay's error, and retries the next time", async () => {
    const { importer, relay } = await setUp();
    const error = "The relay rests.";
    relay.intercept = ({ path }) =>
      path.endsWith("/2.wav") ? { status: 503, body: { error } } : undefined;
    await expect(importer.plan("pkg_1_____________________")).rejects.toThrow(error);
    relay.intercept = () => undefined;
    expect((await importer.plan("pkg_1_____________________")).layout.tracks).toHaveLength(2);
  });

  test("[N6][R5] reads an inbox package each time", async () => {
    const { importer, inboxFolder } = await setUp();
    const folder = await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick", "Snare"]);
    const [found] = (await importer.packages()).local;
    const id = found !== undefined && "package_id" in found ? found.package_id : "";
    const frames = async () => {
      const { sounds } = await importer.plan(id);
      return [...sounds.values()].map((sound) => ("error" in sound ? sound.error : sound.frames));
    };
    expect(await frames()).toEqual([100, 100]);
    await writeFile(join(folder, "Kick.wav"), smallWav({ frames: 200 }));
    await rm(join(folder, "Snare.wav"));
    expect(await frames()).toEqual(["Snare.wav is not in the package's folder.", 200]);
    await writeFile(join(folder, "Kick.wav"), "no sound at all");
    expect(await frames()).toContainEqual(expect.stringMatching(/^Kick\.wav: /));
  });

  test.each(["pkg_none__________________", `local_${"0".repeat(32)}`, "/etc", "../inbox/one"])(
    "[N6] refuses a source that isn't a package id: %s",
    async (id) => {
      const { importer } = await setUp();
      await expect(importer.plan(id)).rejects.toThrow(/no (such )?package/);
      await expect(importer.openSound(id, "1", NEVER)).rejects.toThrow(/no (such )?package/);
    },
  );
});

describe("a sound for playback", () => {
  test("[N6] comes from the relay unchanged, with its size", async () => {
    const { importer, relay } = await setUp();
    const [wav] = relay.files.values();
    const { sizeBytes, body } = await importer.openSound("pkg_1_____________________", "1", NEVER);
    expect(sizeBytes).toBe(wav?.length);
    expect((await read(body)).equals(wav ?? Buffer.alloc(0))).toBe(true);
    expect(relay.callsTo("POST", "/importer/packages/pkg_1_____________________/take")).toEqual([]);
  });

  test("[N6] comes from the inbox in the same way", async () => {
    const { importer, inboxFolder } = await setUp();
    await writeLocalPackage(join(inboxFolder, "one"), "One", ["Kick"]);
    const [found] = (await importer.packages()).local;
    if (found === undefined || "error" in found) throw new Error("It is not in the inbox.");
    const [kick] = found.manifest.items;
    const sound = await importer.openSound(found.package_id, kick?.id ?? "", NEVER);
    expect(sound.sizeBytes).toBe(smallWav().length);
    expect((await read(sound.body)).equals(smallWav())).toBe(true);
  });

  test("[N6] fails with a sentence if it is missing or unavailable", async () => {
    const { importer, relay } = await setUp();
    const none = "There is no such sound in the package.";
    await expect(importer.openSound("pkg_1_____________________", "9", NEVER)).rejects.toThrow(
      none,
    );
    relay.files.clear();
    await expect(importer.openSound("pkg_1_____________________", "1", NEVER)).rejects.toThrow(
      "There is no such package.",
    );
  });

  test("[N6] is closed on abort", async () => {
    const { importer, relay } = await setUp();
    relay.intercept = ({ path }) => (path.includes("/files/") ? "hang" : undefined);
    const hangUp = new AbortController();
    const opening = importer.openSound("pkg_1_____________________", "1", hangUp.signal);
    hangUp.abort(new Error("Nobody listens."));
    await expect(opening).rejects.toThrow("Nobody listens.");
  });
});
