import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openActions } from "../../relay/operating/administer.ts";
import { displayWidth } from "../../core/text/text-table.ts";
import { RunningRelay } from "../relay/running-relay.ts";
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
    const first = await admin("devices --limit 2");
    const after = /--after (dev_\S+)$/m.exec(first.stderr)?.[1] ?? "";
    const second = await admin(`devices --limit 2 --after ${after}`);
    expect([first, second].map(({ stdout }) => stdout.match(/^dev_/gm)?.length)).toEqual([2, 1]);
    expect(second.stderr).toBe("");
    for (const words of ["stats", "devices", "apps", "packages"]) {
      const lines = (await admin(words)).stdout.split("\n");
      expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
    }
  });
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
    ["log --after dev_1", "--after takes the number of an entry."],
    ["packages --state lost", "--state takes one of"],
  ])("[AD1][K1] %s exits with 2", async (words, sentence) => {
    const { status, stdout, stderr } = await runOnce(["admin", ...words.split(" ")]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(sentence);
  });
});
