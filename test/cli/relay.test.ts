import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relayWithSounds, soundsIn } from "../relay/operating/backed-up-relay.ts";
import { makeMachine } from "./run-soundferry.ts";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { describeStores } from "../../cli/commands/relay/start-relay.ts";
import { readRelaySettings } from "../../relay/settings.ts";

test("[Z16][K5] relay check --deep names a sound whose bytes changed, and --repair quarantines it", async () => {
  await using machine = await makeMachine();
  const { relay } = await relayWithSounds();
  await relay.stop();
  const [bad = ""] = await soundsIn(relay.folder);
  const [packageId = ""] = bad.split("/");
  const path = join(relay.folder, "sounds", bad);
  await writeFile(path, (await readFile(path)).fill(7, 50, 52));
  const check = (...flags: readonly string[]) =>
    machine.runInside(["relay", "check", "--data", relay.folder, ...flags]);
  expect(JSON.parse((await check("--json")).stdout)).toMatchObject({ ok: true, differing: null });
  const deep = await check("--deep", "--json");
  expect(deep.status).toBe(1);
  const { ok, differing } = JSON.parse(deep.stdout);
  expect({ ok, differing }).toEqual({
    ok: false,
    differing: [
      {
        package_id: packageId,
        file: expect.stringMatching(/\.wav$/),
        sound: bad,
        device_id: expect.stringMatching(/^dev_/),
        app_name: expect.any(String),
        found: "differs",
      },
    ],
  });
  const text = await check("--deep");
  expect(text.stdout).toContain("Not what their apps sent");
  expect(text.stdout).toContain(
    `(${bad}), from ${differing[0].app_name} for ${differing[0].device_id}`,
  );
  expect(text.stderr).toMatch(/^Compared .* of /);
  expect(await check("--deep", "--repair")).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("quarantined 1 sound of packages"),
  });
  expect((await check("--deep")).stdout).not.toContain("Not what their apps sent");
});

/** A data folder with a sound and without a database. */
async function folderWithoutDatabase(home: string): Promise<string> {
  const data = join(home, "relay data");
  await mkdir(join(data, "sounds", "pkg_1"), { recursive: true });
  await writeFile(join(data, "sounds", "pkg_1", "snd_1"), "RIFF");
  return data;
}

test("[Z1][K1] relay and up refuse with 78 where sounds have no database, and adopt starts them again", async () => {
  await using machine = await makeMachine();
  const data = await folderWithoutDatabase(machine.home);
  const relay = await machine.runInside(["relay", "--data", data, "--json"]);
  expect(relay.status).toBe(78);
  expect(JSON.parse(relay.stdout)).toMatchObject({ code: "INSTANCE_MISMATCH" });
  expect(relay.stderr).toContain("soundferry relay adopt");

  const up = await machine.runInside(["up", "--data", data]);
  expect(up.status).toBe(78);
  expect(up.stderr).toContain("Nothing was deleted.");
  expect(up.stderr).toContain(`relay adopt --data "${data}"`);
  expect(up.stderr).not.toMatch(/relay\.sqlite|check/);

  const adopted = await machine.runInside(["relay", "adopt", "--data", data, "--json"]);
  expect(adopted).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(adopted.stdout)).toEqual({
    data_folder: data,
    adopted: true,
    instance: expect.stringMatching(/^ins_/),
    put_back: 0,
    quarantined: { sounds: 1, bytes: 4 },
    lost: [],
    set_aside: [],
  });
  const again = await machine.runInside(["relay", "adopt", "--data", data]);
  expect(again.stdout).toContain("Nothing to adopt");
});

test.skipIf(process.platform !== "linux")(
  "[K1] D10: a data folder that can't be created ends the relay with a sentence",
  async () => {
    await using machine = await makeMachine();
    await copyFile(import.meta.filename, join(machine.home, "file"));
    for (const data of ["/proc/x", join(machine.home, "file", "below")]) {
      const { status, stderr } = await machine.runInside(["relay", "--data", data]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Can't create the folder .*Check the path and its permissions\.\n$/);
    }
    const adopt = await machine.runInside(["relay", "adopt", "--data", "/proc/x"]);
    expect(adopt).toMatchObject({ status: 1, stderr: "There is no data folder at /proc/x.\n" });
  },
);

test("[K5] a relay says where its data is, and never a password", () => {
  const environment = {
    SOUNDFERRY_DATABASE_URL: "postgres://relay:hunter2@db.example/sounds?password=hunter2",
    SOUNDFERRY_S3_BUCKET: "sounds",
    SOUNDFERRY_S3_ENDPOINT: "https://s3.example",
  };
  const { json, facts } = describeStores(readRelaySettings({ environment }));
  expect(json).toEqual({
    data_folder: null,
    database: "postgres://db.example/sounds",
    bucket: "sounds at https://s3.example",
  });
  expect(JSON.stringify(facts)).not.toContain("hunter2");
  expect(facts.map(([name]) => name)).toEqual(["records", "sounds"]);
});

test("[K5] a relay that needs its folder for the sounds or the records names it", () => {
  const read = (environment: Record<string, string>) =>
    describeStores(readRelaySettings({ environment: { SOUNDFERRY_DATA: "/data", ...environment } }))
      .json;
  expect(read({})).toEqual({ data_folder: "/data" });
  expect(read({ SOUNDFERRY_S3_BUCKET: "sounds" })).toEqual({
    data_folder: "/data",
    bucket: "sounds",
  });
});

test("[K3] the secret of a bucket can be in a file, whose line break doesn't count", () => {
  const folder = mkdtempSync(join(tmpdir(), "soundferry-"));
  const path = join(folder, "secret");
  const read = (more: Record<string, string> = {}) =>
    readRelaySettings({
      environment: {
        SOUNDFERRY_S3_BUCKET: "sounds",
        SOUNDFERRY_S3_ACCESS_KEY_ID: "key",
        SOUNDFERRY_S3_SECRET_ACCESS_KEY_FILE: path,
        ...more,
      },
    });
  writeFileSync(path, "open sesame\n");
  expect(read().s3SecretAccessKey).toBe("open sesame");
  expect(() => read({ SOUNDFERRY_S3_SECRET_ACCESS_KEY: "other" })).toThrow("can't both be set");
  writeFileSync(path, "\n");
  expect(read).toThrow("names an empty file");
});

test.each([
  ["migrate --to mysql://db/relay", {}, "--to takes postgres://… or a folder."],
  ["migrate --to postgres://db/relay", {}, "Name the database with --to and the bucket with --s3."],
  ["migrate --to elsewhere", {}, "elsewhere is a folder, and the relay is in one, too"],
  [
    "migrate --to elsewhere --s3 sounds",
    { SOUNDFERRY_DATABASE_URL: "postgres://db/relay" },
    "needs no --s3",
  ],
  [
    "migrate --to relay-data",
    { SOUNDFERRY_DATABASE_URL: "postgres://db/relay", SOUNDFERRY_DATA: "relay-data" },
    "Name another folder with --to.",
  ],
])("[SC23] relay %s is refused with a sentence", async (words, settings, sentence) => {
  await using machine = await makeMachine();
  const { status, stderr } = await machine.runInside(["relay", ...words.split(" ")], settings);
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(sentence) });
});
