import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openActions } from "../../relay/operating/administer.ts";
import { displayWidth } from "../../core/text/text-table.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { manifestOf } from "../manifest-of.ts";
import { smallWav } from "../wav-bytes.ts";
import { makeMachine, runOnce } from "./run-soundferry.ts";
import { soon } from "../sim/soon.ts";

/** A relay that runs, and the command on its folder in a process of its own. */
async function operated() {
  const relay = await RunningRelay.start();
  const machine = await makeMachine();
  const admin = (words: string, environment = {}) =>
    machine.runInside(["admin", ...words.split(" ")], {
      SOUNDFERRY_DATA: relay.folder,
      ...environment,
    });
  return {
    relay,
    admin,
    [Symbol.asyncDispose]: async () => {
      await machine[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}

describe("a relay and soundferry admin in another process", () => {
  test("[AD1] a device is found, blocked and erased, and the relay heeds it", async () => {
    await using one = await operated();
    const { relay, admin } = one;
    const { importer, token } = await relay.paired();
    await relay.send(token);
    const list = await admin("devices --json");
    expect([list.status, list.stderr]).toEqual([0, ""]);
    expect(JSON.parse(list.stdout)).toMatchObject({
      devices: [{ device_id: importer.deviceId, device_name: "Studio", apps: 1, packages: 1 }],
      next: null,
    });

    const codeOf = async () => (await relay.call("GET", "/app/me", { token })).json.code;
    const blocked = await admin(`block ${importer.deviceId} --json`);
    expect(JSON.parse(blocked.stdout)).toMatchObject({ blocked: true, changed: true });
    await soon(codeOf).toBe("DEVICE_BLOCKED");
    const erased = await admin(`erase ${importer.deviceId}`);
    expect(erased.stdout).toContain(`Erased ${importer.deviceId} with 1 file.`);
    await soon(codeOf).toBe("TOKEN_UNKNOWN");
    const again = await admin(`erase ${importer.deviceId} --json`);
    expect(again.status).toBe(1);
    expect(JSON.parse(again.stdout).error).toBe(`The relay has no ${importer.deviceId}.`);
    const log = JSON.parse((await admin("log --json")).stdout).log;
    expect(log.map(({ action }: { action: string }) => action)).toEqual(["erase", "block"]);
    expect(log[0].who).not.toBe("");
  });

  test("[AD1] lists are paged, say how to go on, and fit into 80 columns", async () => {
    await using one = await operated();
    const { relay, admin } = one;
    const name = "スタジオの一番大きいコンピュータ";
    for (let at = 0; at < 3; at += 1) {
      const importer = await relay.register(name);
      await relay.send(await relay.pair(importer, { appName: "An app with a long name" }));
    }
    const { deviceId } = await relay.register(name);
    await admin(`block ${deviceId}`);
    const first = await admin("devices --limit 2");
    const after = /--after (\S+)$/m.exec(first.stderr)?.[1] ?? "";
    const second = await admin(`devices --limit 2 --after ${after}`);
    expect([first, second].map(({ stdout }) => stdout.match(/^dev_/gm)?.length)).toEqual([2, 2]);
    expect(second.stderr).toBe("");
    for (const words of ["stats", "devices", "apps", "packages", "find dev_", "find pkg_"]) {
      const lines = (await admin(words)).stdout.split("\n");
      expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
    }
  });
});

const HOSTILE = `\u001B[2J\u202E${"very ".repeat(80)}long\nAnd more.`;

test("[AD12] find shows a package's history, hostile words don't touch the terminal, and what is gone is said", async () => {
  await using one = await operated();
  const { relay, admin } = one;
  const { importer, token } = await relay.paired();
  const title = `Kit ${HOSTILE}`;
  const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"], { title }));
  await relay.call("PUT", upload["a.wav"] ?? "", { token, body: smallWav() });
  await relay.call("POST", `/packages/${id}/commit`, { token });
  const results = { "1": { status: "failed", error: HOSTILE, track: HOSTILE, notes: [HOSTILE] } };
  const path = `/importer/packages/${id}/results`;
  await relay.call("POST", path, { ...importer, body: { results } });

  const told = await admin("find KIT");
  expect([told.status, told.stderr]).toEqual([0, ""]);
  expect(told.stdout).toContain(`Package ${id}: failed\n`);
  expect(told.stdout).toMatch(/arrived: a\.wav\n.*committed.*\n.*reported: failed\n/);
  expect(told.stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(told.stdout.split("\n").filter((line) => displayWidth(line) > 80)).toEqual([]);
  const json = JSON.parse((await admin(`find ${id.slice(0, 9)} --json`)).stdout);
  expect(json).toMatchObject({
    package: { status: "failed" },
    device: null,
    devices: [],
    apps: [],
  });
  expect(json).toMatchObject({ packages: [{ package_id: id }], next: { packages: null } });

  const other = await relay.send(token);
  const more = await admin("find pkg_ --limit 1");
  expect(more.stderr).toBe("More than 1 begin with pkg_. Name more of the id.\n");
  const named = await admin("find kit --limit 1");
  expect(named.stderr).toMatch(/^More: .* admin packages --title kit --after \d+\n$/);
  await relay.call("DELETE", `/packages/${other}`, { token });
  const gone = await admin(`find ${other} --json`);
  expect(gone.status).toBe(1);
  expect(JSON.parse(gone.stdout).error).toContain(`${other} was withdrawn by its app, or purged, `);
  const nothing = await admin("find nobody");
  expect([nothing.status, nothing.stdout]).toEqual([1, ""]);
  expect(nothing.stderr).toContain('The relay has nothing with "nobody".');
});

test("[AD13] keys are added, listed and removed, and a key is shown once", async () => {
  await using one = await operated();
  const added = await one.admin("keys add studio --ends 30 --max 3");
  const [secret = ""] = /sfk_\S+/.exec(added.stdout) ?? [];
  expect(added.stdout).toMatch(
    /shown only now:\n\n {2}sfk_\S+\n\nIt ends .* UTC\.\nIt is for 3 comp/,
  );
  const again = await one.admin("keys add studio --json");
  expect([again.status, JSON.parse(again.stdout).error]).toEqual([
    1,
    "There is a key studio already.",
  ]);
  const list = await one.admin("keys list");
  expect(list.stdout).toMatch(/^studio +20\S+ +20\S+ \S+ +0 +3$/m);
  expect(list.stdout + (await one.admin("keys list --json")).stdout).not.toContain(secret);
  const removed = await one.admin("keys remove studio --json");
  expect(JSON.parse(removed.stdout)).toEqual({ name: "studio", removed: true, changed: true });
  expect((await one.admin("keys remove studio")).stdout).toBe(
    "The key studio was removed already.\n",
  );
  expect((await one.admin("keys remove nobody")).status).toBe(1);
  expect((await one.admin("keys list")).stdout).toBe("No registration keys.\n");
});

test("[AD14] quota sets, shows and resets a computer's limits", async () => {
  await using one = await operated();
  const { deviceId } = await one.relay.register();
  const json = async (flags: string) =>
    JSON.parse((await one.admin(`quota ${deviceId} ${flags} --json`)).stdout);
  const set = { device_id: deviceId, bytes: 1.5 * 1024 ** 3, waiting: 20, changed: true };
  expect(await json("--bytes 1.5GiB --waiting 20")).toEqual(set);
  expect(await json("--bytes 1.5gib")).toEqual({ ...set, changed: false });
  expect((await one.admin(`quota ${deviceId}`)).stdout).toBe(
    `${deviceId}: 1.6 GB, at most 20 waiting packages.\n`,
  );
  expect((await one.admin(`find ${deviceId}`)).stdout).toContain("Limits     1.6 GB, at most 20");
  expect(await json("--reset")).toEqual({ ...set, bytes: null, waiting: null });
  const unknown = await one.admin(`quota dev_${"a".repeat(22)}`);
  expect([unknown.status, unknown.stdout]).toEqual([1, ""]);
});

test("[AD1] beside no relay at all, and on an empty folder, it says so and creates nothing", async () => {
  await using machine = await makeMachine();
  const folder = join(machine.home, "nothing");
  const { status, stderr, stdout } = await machine.runInside(["admin", "stats", "--data", folder]);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`There is no database at ${join(folder, "relay.sqlite")}.`);
  await machine.runInside(["admin", "block", "192.0.2.1", "--data", folder]);
  expect(existsSync(folder)).toBe(false);
  await expect(openActions({ dataFolder: folder }, { who: "anna" })).rejects.toThrow(
    "There is no database",
  );
});

describe("wrong use of soundferry admin", () => {
  test.each([
    ["block studio", "Name an address, a network (CIDR) or a device's id"],
    ["deny abc", "A sound is named by its SHA-256"],
    ["erase pair_aaaaaaaaaaaaaaaaaaaaaa", "Name an id, dev_…"],
    ["purge .", "Name an id, pkg_… or dev_…"],
    ["switch doors off", 'There is no switch "doors"'],
    ["switch claims", "Say whether claims are on or off."],
    [`switch claims off --sentence ${"x".repeat(81)}`, "--sentence takes one line of 1 to 80"],
    ["switch claims on --sentence Later.", "--sentence is what callers read while it is off."],
    ["devices --limit 0", "--limit takes a number from 1 to 1000."],
    ["log --after dev_1", "--after takes a place in the list"],
    ["devices --after studio", "--after takes a place in the list"],
    ["find \t", "Name an id, a title or a name."],
    ["quota dev_aaaaaaaaaaaaaaaaaaaaaa --bytes 4GX", "--bytes takes a size, such as 500MB or 4GiB"],
    ["quota dev_aaaaaaaaaaaaaaaaaaaaaa --waiting -1", "--waiting takes a number from 0"],
    ["quota dev_aaaaaaaaaaaaaaaaaaaaaa --reset --waiting 1", "--reset takes neither"],
    ["quota studio", "Name an id, dev_…"],
    ["keys add setting", "setting is the name of SOUNDFERRY_REGISTRATION_KEY."],
    ["keys add a/b", "A key's name has 1 to"],
    ["keys add studio --max 0", "--max takes a number from 1"],
    ["keys add studio --ends 2020-01-01", "--ends takes a day to come"],
    ["keys add studio --ends soon", "--ends takes a day to come"],
    ["keys remove setting", "setting is SOUNDFERRY_REGISTRATION_KEY: unset that."],
    ["packages --state lost", "--state takes one of"],
  ])("[AD1][K1] %s exits with 2", async (words, sentence) => {
    const { status, stdout, stderr } = await runOnce(["admin", ...words.split(" ")]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(sentence);
  });
});
