import { Buffer } from "node:buffer";
import { copyFile, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readPortFile } from "./cut-socket.ts";
import { type LiveStudio, liveStudio } from "./live-studio.ts";
import { lasting } from "./look-in-set.ts";
import { violationsIn } from "./fake-live-log.ts";
import { added, NOTHING, ONCE, QUICK, RUN, SMALL } from "./small-layout.ts";
import { writeSilence } from "./sparse-wav.ts";
import { insider, nonceOf, stranger } from "./stranger.ts";
import { until } from "../../../../sim/until.ts";

const SECRETS = /[0-9a-f]{64}/;
const LOOK = { id: 1, call: "look" };

let studio: LiveStudio;
let before: Awaited<ReturnType<LiveStudio["live"]["dump"]>>;
let said: () => string;

beforeEach(async () => {
  studio = await liveStudio({ habits: QUICK });
  before = await studio.live.dump();
  said = () => "";
});

/** A place request as the importer would make it, for one file. */
function placeOf(file: string, run = "evil") {
  return {
    id: 7,
    call: "place",
    run,
    package: "p",
    tempo: null,
    scene: { name: "Evil", color: 1, tempo: null, index: null },
    tracks: [
      {
        sound: "s",
        name: "Evil",
        color: 1,
        file,
        clip: {
          name: "Evil",
          color: 1,
          warping: false,
          warp_mode: null,
          looping: false,
          attempts: [{ markers: null, start: 0, end: 1 }],
          gain: { db: 0, value: 0.4 },
        },
      },
    ],
  };
}

/** Whatever was said: the Set is the same, nothing escaped, no secret was told, and a right client is served. */
afterEach(async () => {
  expect(lasting(await studio.live.dump())).toEqual(lasting(before));
  const { secret } = await readPortFile(studio.folder);
  const log = await studio.live.log();
  expect(violationsIn(log)).toEqual([]);
  expect(JSON.stringify(log.messages) + studio.live.printed() + said()).not.toContain(secret);
  await studio.host.place(await studio.request(SMALL, { runId: RUN }));
  expect(added(before, await studio.live.dump())).toEqual(ONCE);
});

describe("[H12] who doesn't know the secret", () => {
  test("is refused", async () => {
    const one = await insider(studio.folder, { secret: "0".repeat(64) });
    await one.ended;
    said = one.heard;
    expect(one.heard()).toContain('{"refused": "signature"}');
    expect(one.heard()).not.toContain("welcome");
  });

  test("learns nothing from a line of another connection", async () => {
    const right = await insider(studio.folder);
    const look = right.sign(LOOK);
    const { port } = await readPortFile(studio.folder);
    const thief = await stranger(port);
    await nonceOf(thief);
    thief.say(Buffer.concat([right.login, look]));
    await thief.ended;
    expect(thief.heard()).toContain('{"refused": "signature"}');
  });

  test("can't send a line again", async () => {
    const right = await insider(studio.folder);
    const look = right.sign(LOOK);
    right.say(Buffer.concat([look, look]));
    await right.ended;
    expect(right.heard().match(/"tracks"/g)).toHaveLength(1);
    expect(right.heard()).toContain('{"refused": "signature"}');
  });

  test("is refused whatever it says", async () => {
    const { port } = await readPortFile(studio.folder);
    for (const line of [
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
      "\n",
      "{}\n",
      "null\n",
      '{"login": {"protocol": 1, "nonce": "", "folders": ["/"]}}\n',
      `${"0".repeat(64)} {"call": "look", "id": 1}\n`,
      `${"é".repeat(32)} {"call": "look", "id": 1}\n`,
      "\u0000\u0001\u0002\n",
    ]) {
      const one = await stranger(port);
      one.say(line);
      await one.ended;
      expect(one.heard(), line).toContain('{"refused": "signature"}');
      expect(one.heard().replace(/"nonce": "[0-9a-f]{32}"/, ""), line).not.toMatch(SECRETS);
    }
  });

  test("is refused as a page in a browser", async () => {
    const { port } = await readPortFile(studio.folder);
    for (const body of [JSON.stringify(placeOf("/etc/passwd")), "x".repeat(100_000)]) {
      const post = { method: "POST", mode: "no-cors", body } as const;
      await expect(fetch(`http://127.0.0.1:${port}/`, post)).rejects.toThrow();
    }
  });

  test("can't fill the memory: its lines are short", async () => {
    const { port } = await readPortFile(studio.folder);
    const one = await stranger(port);
    one.say("x".repeat(70_000));
    await one.ended;
    expect(one.heard()).toContain('{"refused": "too long"}');
    for (const end of ["", "\n"]) {
      const other = await stranger(port);
      other.say(`${"x".repeat(10_000_000)}${end}`);
      await other.ended;
      expect(other.heard()).not.toContain("welcome");
    }
  });

  test("can't keep others away: 1,000 connections, slow ones, and some that never read", async () => {
    const { port } = await readPortFile(studio.folder);
    const crowd = await Promise.all(Array.from({ length: 1000 }, () => stranger(port)));
    for (const each of crowd.slice(0, 500)) each.say("{");
    for (const each of crowd.slice(500, 600)) each.socket.pause();
    const right = await insider(studio.folder);
    right.send(LOOK);
    await until(() => right.heard().includes('"tracks"'));
    expect(right.heard()).toContain('"id": 1');
  });
});

describe("[H12] who knows the secret", () => {
  test.each([{ protocol: 2 }, { protocol: 0 }])("needs the same protocol: %j", async (options) => {
    const one = await insider(studio.folder, options);
    await one.ended;
    said = one.heard;
    expect(one.heard()).toContain('{"refused": "protocol"}');
  });

  test("can't send a line of 10 MB", async () => {
    const one = await insider(studio.folder);
    one.send({ ...LOOK, more: "x".repeat(10_000_000) });
    await one.ended;
    expect(one.heard()).not.toContain('"tracks"');
  });

  test.each([
    ["[".repeat(100_000)],
    [`{"a":${'{"a":'.repeat(5000)}1${"}".repeat(5001)}`],
    ["[1, 2]"],
    ['{"call": "place"'],
    ["7"],
  ])("needs JSON objects: %#", async (text) => {
    const one = await insider(studio.folder);
    one.send(text);
    await Promise.race([one.ended, heardError(one.heard)]);
    expect(one.heard()).toMatch(/"refused": "not JSON"|"error"/);
    said = one.heard;
  });

  test("gets an answer to each request", async () => {
    for (const request of [
      {},
      { call: "place" },
      { call: "place", run: 1 },
      { call: "place", run: "r", package: "p", scene: null, tracks: [] },
      { call: "place", run: "r", package: "p", scene: {}, tracks: "none" },
      { call: "cancel", run: "nobody" },
      { call: "look", run: { a: 1 } },
      { call: "look", run: ["a"] },
      { call: "__init__" },
      { call: "probe", steps: [[["__class__", "__mro__"], "get", []]] },
      { call: "probe", steps: [[["view", "__dict__"], "get", []]] },
      { call: "probe", steps: 3 },
    ]) {
      const one = await insider(studio.folder);
      one.send({ id: 5, ...request });
      one.send({ ...LOOK, id: 6 });
      await until(() => one.heard().includes('"id": 6'));
      expect(one.heard(), JSON.stringify(request)).toMatch(/"id": 5/);
    }
  });

  test("can't have a file opened outside the folders of its login", async () => {
    const { sounds, folder } = studio;
    const outside = join(folder, "outside.wav");
    await writeSilence(outside);
    await writeSilence(join(sounds, "inside.wav"));
    await symlink(outside, join(sounds, "link.wav"));
    await symlink(folder, join(sounds, "way-out"));
    await mkdir(`${sounds}-not`);
    await writeSilence(join(`${sounds}-not`, "beside.wav"));
    const paths = [
      outside,
      join(sounds, "link.wav"),
      join(sounds, "way-out", "outside.wav"),
      `${sounds}/../importer/outside.wav`,
      join(`${sounds}-not`, "beside.wav"),
      "inside.wav",
      "./inside.wav",
      sounds,
      `${sounds}/`,
      join(sounds, "nothing.wav"),
      "",
      "\u0000",
      "file:///etc/passwd",
      "/etc/passwd",
    ];
    for (const path of paths) {
      const one = await insider(folder, { folders: [sounds] });
      one.send(placeOf(path));
      await heardError(one.heard);
      expect(one.heard(), path).toMatch(/"code": "(path|request)"/);
    }
  });

  test("can't name a folder that isn't absolute", async () => {
    await writeSilence(join(studio.sounds, "inside.wav"));
    for (const folders of [[], [""], ["."], ["~"], [".."]]) {
      const one = await insider(studio.folder, { folders });
      one.send(placeOf(join(studio.sounds, "inside.wav")));
      await heardError(one.heard);
      expect(one.heard(), folders.join()).toContain('"code": "path"');
    }
  });

  test("can't swap a file for a link after it was checked", async () => {
    const outside = join(studio.folder, "outside.wav");
    const inside = join(studio.sounds, "inside.wav");
    await writeSilence(outside);
    await copyFile(outside, inside);
    for (let attempt = 1; ; attempt += 1) {
      expect(attempt).toBeLessThan(30);
      const one = await insider(studio.folder, { folders: [studio.sounds] });
      await studio.live.stop();
      one.send(placeOf(inside));
      // The request is taken in one callback, and its clip made in a later one.
      let set = await studio.live.dump();
      while (set.tracks.length === before.tracks.length) {
        await studio.live.tick();
        set = await studio.live.dump();
      }
      const isMade = set.tracks.at(-1)?.clips.some((clip) => clip !== null) === true;
      if (isMade) {
        // Both callbacks were in one tick: too late to swap anything.
        await studio.live.reload(before);
        await studio.live.run();
        continue;
      }
      await rm(inside);
      await symlink(outside, inside);
      await studio.live.run();
      await heardError(one.heard);
      expect(one.heard()).toMatch(/its file was replaced|is not in Soundferry's folders/);
      break;
    }
    expect(added(before, await studio.live.dump())).toEqual(NOTHING);
  });

  test("can't fill the memory by never reading", async () => {
    const one = await insider(studio.folder);
    one.socket.pause();
    for (let count = 0; count < 8000; count += 1) one.send({ ...LOOK, run: "x".repeat(200) });
    const right = await insider(studio.folder);
    right.send(LOOK);
    await until(() => right.heard().includes('"tracks"'));
    expect(right.heard()).toContain('"id": 1');
  });
});

function heardError(heard: () => string): Promise<void> {
  return until(() => heard().includes('"error"'));
}
