import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeStores } from "../../../cli/commands/relay/start-relay.ts";
import { readRelaySettings } from "../../../relay/settings.ts";

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
