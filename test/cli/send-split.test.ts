import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOutgoing } from "../../cli/commands/send/read-outgoing.ts";
import { sendPackages } from "../../cli/commands/send/send-packages.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { chunk, format, wav } from "../../fixtures/wav-bytes.ts";
import { startStandIn } from "../client/stand-in-relay.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { relayWhere } from "./relay-where.ts";
import { makeMachine } from "./run-soundferry.ts";

/** A folder of so many small sounds. */
async function folderOf(home: string, count: number, title = "Neon Rain"): Promise<string> {
  const folder = join(home, title);
  await mkdir(folder);
  for (let number = 1; number <= count; number += 1) {
    await writeFile(join(folder, `Hit ${number}.wav`), smallWav({ fill: number }));
  }
  return folder;
}

/** Seven stems of 24 bits, 31.75 MB each, which take no room on disk. */
async function stemsIn(home: string, bits = 24, count = 7): Promise<string> {
  const folder = join(home, "Neon Rain");
  await mkdir(folder);
  const dataBytes = 31_752_000;
  for (let number = 1; number <= count; number += 1) {
    const file = join(folder, `Stem ${number}.wav`);
    const head = smallWav({ frames: 0, channels: 2, bits });
    head.writeUInt32LE(36 + dataBytes, 4);
    head.writeUInt32LE(dataBytes, 40);
    await writeFile(file, head);
    await truncate(file, 44 + dataBytes);
  }
  return folder;
}

async function pairedRelay() {
  const relay = await RunningRelay.start();
  const { token } = await relay.register("Studio");
  const code: string = (await relay.call("POST", "/importer/pairing-code", { token })).json.code;
  const waiting = async () => {
    const { json } = await relay.call("GET", "/importer/packages", { token });
    return json.packages as {
      title: string;
      manifest: { title: string; items: { name: string; bytes: number; sha256: string }[] };
    }[];
  };
  return { relay, code, waiting };
}

test("[K18] 40 sounds need a decision, and with --split become two packages with one title", async () => {
  await using machine = await makeMachine();
  const { relay, code, waiting } = await pairedRelay();
  await using _ = relay;
  const folder = await folderOf(machine.home, 40);
  const words = ["send", folder, "--relay", relay.url, "--code", code, "--no-follow"];
  const asked = await machine.runInside(words);
  expect(asked.status).toBe(2);
  expect(asked.stderr).toContain(
    "40 sounds, 9.8 kB: one package holds 32 sounds and 209.7 MB. " +
      "Add --split to send 2 packages, separate scenes to be launched together.",
  );
  // Nothing was asked of the relay: the code still works.
  const { status, stderr, stdout } = await machine.runInside([...words, "--split", "--json"]);
  expect(status).toBe(0);
  expect(stderr).toContain("2 packages: separate scenes, to be launched together.\n");
  expect(stderr.match(/Click Import/g)).toHaveLength(1);
  const titles = ["Neon Rain (1 of 2)", "Neon Rain (2 of 2)"];
  const { packages } = JSON.parse(stdout);
  expect(packages).toMatchObject(titles.map((title) => ({ title, status: "waiting" })));
  const manifests = (await waiting()).map(({ manifest }) => manifest);
  expect(manifests.map(({ title }) => title).toSorted()).toEqual(titles);
  const [first, second] = manifests.toSorted((one, other) => (one.title < other.title ? -1 : 1));
  expect([first?.items.length, second?.items.length]).toEqual([32, 8]);
  const names = [...(first?.items ?? []), ...(second?.items ?? [])].map(({ name }) => name);
  expect(names).toEqual(Array.from({ length: 40 }, (__, index) => `Hit ${index + 1}`));
});

test("[K18] --split of what one package holds is one package without an ending, as a list", async () => {
  await using machine = await makeMachine();
  await using relay = await startStandIn(relayWhere({ status: "waiting" }));
  const folder = await folderOf(machine.home, 2);
  const words = ["send", folder, "--relay", relay.url, "--code", "x", "--no-follow"];
  const { stdout } = await machine.runInside([...words, "--split", "--json"]);
  expect(JSON.parse(stdout).packages).toMatchObject([{ status: "waiting" }]);
  const body = relay.seen.find(({ path }) => path === "/packages")?.body;
  expect(JSON.parse(String(body)).title).toBe("Neon Rain");
});

test("[K18] for what is too large, send says what 16 bit and packages would do, before it pairs", async () => {
  await using machine = await makeMachine();
  const folder = await stemsIn(machine.home);
  const words = ["send", folder, "--relay", "http://127.0.0.1:9", "--code", "x"];
  const { status, stderr } = await machine.runInside(words);
  expect(status).toBe(2);
  expect(stderr).toContain(
    "7 sounds, 222.3 MB: one package holds 32 sounds and 209.7 MB. " +
      "Add --bit-depth 16 to send them as 16 bit: 148.2 MB, one package. " +
      "Add --split to send 2 packages, separate scenes to be launched together.",
  );
});

test("[K18] says what helps beside --bit-depth 16, and when nothing does", async () => {
  await using machine = await makeMachine();
  const folder = await stemsIn(machine.home, 16);
  const words = ["send", folder, "--relay", "http://127.0.0.1:9", "--code", "x"];
  const { stderr } = await machine.runInside([...words, "--bit-depth", "16"]);
  expect(stderr).toContain("209.7 MB. Add --split to send 2 packages, separate");
  expect(stderr).not.toContain("Add --bit-depth");
  await using other = await makeMachine();
  const many = await stemsIn(other.home, 24, 45);
  const tooMany = ["send", many, "--relay", "http://127.0.0.1:9", "--code", "x", "--split"];
  const ending = await other.runInside(tooMany);
  expect(ending.status).toBe(1);
  expect(ending.stderr).toContain(
    "45 sounds, 1.4 GB, need 5 packages; at most 4 are sent at once. Send fewer sounds at a time.",
  );
});

test("[K18] with --bit-depth 16, deeper sounds become 16 bit, the same bytes each time; others stay", async () => {
  await using machine = await makeMachine();
  const { relay, code, waiting } = await pairedRelay();
  await using _ = relay;
  const folder = join(machine.home, "Takes");
  await mkdir(folder);
  const floats = Float32Array.from({ length: 5000 }, (__, at) => 1.2 * Math.sin(at / 9));
  const float = wav([
    chunk("fmt ", format({ tag: 3, bits: 32 })),
    chunk("data", new Uint8Array(floats.buffer)),
  ]);
  await writeFile(join(folder, "Float One Shot.wav"), float);
  await writeFile(join(folder, "Plain One Shot.wav"), smallWav({ fill: 3 }));
  const words = ["send", folder, "--relay", relay.url, "--no-follow", "--bit-depth", "16"];
  const { stderr } = await machine.runInside([...words, "--code", code]);
  expect(stderr).toMatch(/Float One Shot\.wav: \d{4} samples beyond full scale were clipped\./);
  await machine.runInside(words);
  const [first, again] = (await waiting()).map(({ manifest }) => manifest.items);
  expect(first?.map(({ bytes }) => bytes)).toEqual([44 + 10_000, 244]);
  expect(again).toEqual(first);
});

test("[K18] a part that fails says what was sent and how to send the rest, and that sends the rest", async () => {
  await using machine = await makeMachine();
  let announced = 0;
  let isBroken = true;
  await using relay = await startStandIn((request) => {
    if (request.path === "/packages") announced += 1;
    if (request.method === "PUT" && announced === 2 && isBroken) {
      return { status: 422, body: { error: "Hit 33: not a WAV file.", code: "WAV_NOT_RIFF" } };
    }
    return relayWhere({ status: "waiting" })(request);
  });
  const folder = await folderOf(machine.home, 70);
  const words = ["send", folder, "--relay", relay.url, "--code", "x", "--no-follow", "--split"];
  const { status, stdout } = await machine.runInside([...words, "--json"]);
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    error:
      "Hit 33: not a WAV file. Sent: Neon Rain (1 of 3). " +
      "Not sent: Neon Rain (2 of 3), Neon Rain (3 of 3). " +
      "To send the rest, run the same command with --from-part 2.",
    sent: [{ package_id: "pkg_1", title: "Neon Rain (1 of 3)" }],
    not_sent: ["Neon Rain (2 of 3)", "Neon Rain (3 of 3)"],
  });
  isBroken = false;
  expect((await machine.runInside([...words, "--from-part", "2"])).status).toBe(0);
  const titles = relay.seen.filter(({ path }) => path === "/packages");
  expect(titles.slice(2).map(({ body }) => JSON.parse(String(body)).title)).toEqual([
    "Neon Rain (2 of 3)",
    "Neon Rain (3 of 3)",
  ]);
});

test.each([
  [["--split", "--from-part", "4"], "--from-part 4: the last part is 1."],
  [["--from-part", "2"], "--from-part needs --split."],
  [["--split", "--from-part", "0"], "The parts count from 1."],
  [["--bit-depth", "24"], "Allowed choices are 16."],
])("[K18] %j is wrong use", async (flags, sentence) => {
  await using machine = await makeMachine();
  await using relay = await startStandIn(relayWhere({ status: "waiting" }));
  const folder = await folderOf(machine.home, 1);
  const words = ["send", folder, "--relay", relay.url, "--code", "x", ...flags];
  const { status, stderr } = await machine.runInside(words);
  expect(stderr).toContain(sentence);
  expect(status).toBe(2);
});

test("[K18] a folder with a manifest is sent as it says: it is neither split nor converted", async () => {
  await using machine = await makeMachine();
  await writeFile(join(machine.home, "manifest.json"), "{}");
  const { status, stderr } = await machine.runInside(["send", machine.home, "--split"]);
  expect(stderr).toContain("has a manifest.json, so it is sent as it is.");
  expect(status).toBe(2);
});

test("[K18] Ctrl-C in the second package says what was sent, and withdraws what isn't whole", async () => {
  await using machine = await makeMachine();
  const stop = new AbortController();
  let announced = 0;
  await using relay = await startStandIn((request) => {
    if (request.path === "/packages") announced += 1;
    if (request.method === "PUT" && announced === 2) stop.abort(new Error("Stopped."));
    return relayWhere({ status: "waiting" })(request);
  });
  const client = new SoundferryClient({ relayUrl: relay.url, tokenStore: new MemoryTokenStore() });
  await client.pair("K7MQ2X", { name: "Looper", id: "looper-1" });
  const folder = await folderOf(machine.home, 33);
  const { packages } = await readOutgoing([folder], "Looper", {}, { split: true });
  const said: string[] = [];
  const output = { say: (line: string) => void said.push(line), give: () => {} };
  const options = { isList: true, fromPart: 1, follow: false, output, signal: stop.signal };
  await expect(sendPackages(client, packages, options)).rejects.toThrow(
    "Stopped. Sent: Neon Rain (1 of 2). Not sent: Neon Rain (2 of 2). " +
      "To send the rest, run the same command with --from-part 2.",
  );
  expect(relay.seen.at(-1)?.method).toBe("DELETE");
});
