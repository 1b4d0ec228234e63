import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { SettingsError } from "../../../core/settings.ts";
import { Outbox } from "../../../addon/relay/outbox.ts";
import { formatLine, readJournalText, shortenJournal } from "../../../addon/runs/journal-lines.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import { readManifest } from "../../../relay/operating/backup-manifest.ts";
import { DiskSoundStore } from "../../../relay/storage/disk/disk-sound-store.ts";
import { compactRemovals, parseRemoval, readLines } from "../../../relay/storage/removals-log.ts";
import { damaged, type FuzzTarget, fuzzTarget } from "./fuzz-target.ts";
import { onlyThrows } from "./only-throws.ts";

const AT = Date.UTC(2026, 0, 1);

const RUN = { run_id: "run-1", host: "live", title: "Kit", at: "2026-01-01T00:00:00Z" };
const JOURNAL = [
  formatLine({ kind: "begin", ...RUN, sounds: ["1", "2"] }),
  formatLine({ kind: "step", step: 1, label: "make the scene", leaves_nothing: true }),
  formatLine({ kind: "done", step: 1, outcome: 3 }),
  formatLine({ kind: "step", step: 2, label: "make a track" }),
  formatLine({ kind: "failed", step: 2 }),
  formatLine({
    kind: "end",
    status: "partial",
    at: RUN.at,
    results: { 1: { status: "imported" } },
  }),
  formatLine({ kind: "begin", ...RUN, run_id: "run-2" }),
  formatLine({ kind: "step", step: 1, label: "make the scene" }),
];
const journals = fc.subarray(JOURNAL, { minLength: 1 }).map((lines) => lines.join(""));

/** Compacting keeps the meaning, and can be done again. */
function readJournal(bytes: Buffer): void {
  const text = bytes.toString("utf8");
  const record = readJournalText(text);
  assert.equal(typeof record.title, "string");
  for (const { runId, steps } of record.unfinished.values()) {
    assert.equal(typeof runId, "string");
    assert.ok(steps.length <= text.length, `${steps.length} steps`);
    for (const { label } of Object.values(steps)) assert.equal(typeof label, "string");
  }
  const shortened = shortenJournal(text, AT);
  const again = readJournalText(shortened);
  assert.deepEqual(again.importedInto, record.importedInto);
  assert.deepEqual(
    [...again.unfinished].map(([host, { runId, steps }]) => [host, runId, Object.values(steps)]),
    [...record.unfinished].map(([host, { runId, steps }]) => [host, runId, Object.values(steps)]),
  );
  assert.equal(shortenJournal(shortened, AT), shortened);
}

const RELAY = { relayUrl: "http://relay.test", deviceId: "dev_1" };
const OUTBOX_ENTRY = JSON.stringify({
  package_id: "pkg_1",
  relay: RELAY.relayUrl,
  device: RELAY.deviceId,
  results: { 1: { status: "imported", track: "Kick" }, 2: { status: "skipped", error: "No." } },
});

const CONFIG = JSON.stringify({
  settings: { SOUNDFERRY_DEVICE_NAME: "Studio" },
  identities: {
    "http://relay.test": {
      deviceId: "dev_1",
      importerToken: "sfi_1",
      deviceName: "Studio",
      instance: "ins_1",
    },
  },
  setAside: [{ relay: "http://b", deviceId: "d", importerToken: "t", deviceName: "n" }],
});

const REMOVALS = ["token", "package"]
  .map((kind, at) => `${JSON.stringify({ seq: at + 1, at: AT, kind, id: "pkg_1" })}\n`)
  .join("");

const BACKUP = JSON.stringify({
  format: "soundferry-backup/1",
  soundferry: "0.1.0",
  made_at: "2026-01-01T00:00:00Z",
  instance_id: "ins_1",
  files: [
    { path: "relay.sqlite", bytes: 3, sha256: "ab" },
    { path: "sounds/pkg_1/snd_1", bytes: 3, sha256: "cd" },
  ],
  lost: ["pkg_1/snd_2"],
});

const quarantined = fc.tuple(
  fc.oneof(fc.nat().map(String), fc.constantFrom("9".repeat(40), "-1", "1e3", "x", " 1", "0")),
  fc.constantFrom("pkg_1", "pkg 1", ".DS_Store", "é"),
  fc.constantFrom("snd_1", "snd_1.part", "..a", "instance"),
);

/** Targets that read files in a folder of their own, which is removed with the process. */
export function fileTargets(): readonly FuzzTarget[] {
  const folder = mkdtempSync(join(tmpdir(), "soundferry-fuzz-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name: string, bytes: string | Buffer): string => {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  return [
    fuzzTarget("journal", damaged(journals), readJournal, (size) =>
      Buffer.from(JOURNAL.join("").repeat(size / 20)),
    ),
    fuzzTarget("outbox", damaged(fc.constant(OUTBOX_ENTRY)), async (bytes) => {
      inFolder("outbox/pkg_1.json", bytes);
      const reported: unknown[] = [];
      const report = async (packageId: string) => {
        reported.push(packageId);
        return { status: "imported" } as const;
      };
      const outbox = new Outbox(join(folder, "outbox"));
      const pending = await outbox.packageIds(RELAY);
      assert.equal(await outbox.flush({ ...RELAY, report }), 0);
      assert.ok(reported.length <= pending.length && pending.length <= 1);
    }),
    fuzzTarget("config", damaged(fc.constant(CONFIG)), async (bytes) => {
      inFolder("importer/config.json", bytes);
      const stored = await onlyThrows(SettingsError, () =>
        openStoredSettings(join(folder, "importer")),
      );
      if (stored === undefined) return;
      for (const text of Object.values(stored.settings())) assert.equal(typeof text, "string");
      const before = stored.identities();
      stored.storeSetting("SOUNDFERRY_INBOX", "/inbox");
      stored.storeIdentities(before);
      const again = openStoredSettings(join(folder, "importer"));
      assert.deepEqual(again.identities(), before);
      assert.equal(again.settings()["SOUNDFERRY_INBOX"], "/inbox");
    }),
    fuzzTarget(
      "removals",
      damaged(fc.constant(REMOVALS)),
      (bytes) => {
        const path = inFolder("relay/removals.log", bytes);
        // Old ones may stay: the file is rewritten only when its first line is old.
        const young = () =>
          [...readLines(path)]
            .map(parseRemoval)
            .filter((one) => one !== undefined && one.at > AT - 364 * 86_400_000);
        const before = young();
        compactRemovals(join(folder, "relay"), AT + 1);
        assert.deepEqual(young(), before);
      },
      (size) => Buffer.alloc(size * 256),
    ),
    fuzzTarget("backup", damaged(fc.constant(BACKUP)), async (bytes) => {
      inFolder("backup/backup.json", bytes);
      const manifest = await onlyThrows(Error, () => readManifest(join(folder, "backup")));
      if (manifest === undefined) return;
      for (const { path, bytes: size } of manifest.files) {
        assert.match(path, /^(relay\.sqlite|removals\.log|sounds\/[\w-]+\/[\w-]+)$/);
        assert.ok(Number.isSafeInteger(size) && size >= 0, `${size} bytes`);
      }
      for (const key of manifest.lost) assert.equal(typeof key, "string");
    }),
    fuzzTarget("instance", damaged(fc.constant("ins_1\n")), async (bytes) => {
      inFolder("stored/sounds/instance", bytes);
      const store = await DiskSoundStore.open(join(folder, "stored"));
      const id = await store.readInstance();
      assert.ok(id === undefined || (id !== "" && id.length <= 200));
    }),
    fuzzTarget("quarantine", fc.array(quarantined, { maxLength: 4 }), async (paths) => {
      const root = join(folder, "aside");
      rmSync(root, { recursive: true, force: true });
      for (const parts of paths) inFolder(join("aside/quarantine", ...parts), "bytes");
      const store = await DiskSoundStore.open(root);
      const keys: string[] = [];
      for await (const { key, since } of store.listQuarantined()) {
        assert.ok(Number.isSafeInteger(since) && since >= 0, `since ${since}`);
        keys.push(key);
      }
      for (const key of keys) assert.match(key, /^[\w-]+\/[\w-]+$/);
      await store.quarantine(keys, null);
      assert.deepEqual(new Set((await store.sizes(keys)).keys()), new Set(keys));
      for await (const { key } of store.listQuarantined()) assert.fail(`${key} stayed`);
    }),
  ];
}
