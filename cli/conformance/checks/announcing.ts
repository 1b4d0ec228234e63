import { randomUUID } from "node:crypto";
import {
  assert,
  assertExpiry,
  assertMatches,
  assertRefusal,
  assertSame,
  assertStatus,
  listOf,
  partOf,
  show,
} from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { itemOf, manifestOf, smallSounds } from "../sounds.ts";

/** The contract's longest default upload window. */
const WINDOW_SECONDS = 3600;

const LOOP = { kind: "loop", role: "drums", length_beats: 4, color: "#FF8800", gain_db: -3 };

/** Valid manifests and the answers to them. */
export const ANNOUNCE_CHECKS: readonly Check[] = [
  {
    id: "announce",
    rule: "M8",
    title: "announcing is 201 with package_id, upload, warnings and the end of the upload window",
    spec: "4: 201 with package_id, upload and warnings",
    run: announce,
  },
  {
    id: "upload-paths",
    rule: "M8",
    title: "the paths in `upload` are percent-encoded and work as they are",
    spec: "2.2 upload: for each file the path to upload it to",
    run: async (kit) => {
      // The public specification doesn't say how a space is written.
      const file = kit.contract === "whole" ? "My Kick.WAV" : "Kick.WAV";
      const sounds = smallSounds(file, "b-2_c.wav");
      const made = await kit.uploading(sounds);
      const path = partOf(made.announced.json, "upload", file);
      assertSame(path, `/packages/${made.id}/files/${encodeURIComponent(file)}`, `${file}'s path`);
      for (const sound of sounds) assertStatus(await kit.put(made, sound), 200);
    },
  },
  {
    id: "own-id",
    rule: "M4",
    title: "a well-formed package_id is replaced silently",
    spec: "2.2 it replaces a package_id sent inside the manifest",
    run: async (kit) => {
      const { announced, id } = await kit.uploading(undefined, { package_id: "my-own.id" });
      assert(id !== "my-own.id", "The package has the id that was sent.");
      if (kit.contract === "public") return;
      assertSame(partOf(announced.json, "warnings"), [], "warnings");
    },
  },
  {
    id: "ids",
    rule: "M7",
    title: "each sound has an id of its own; repeats get another, with a warning",
    run: ids,
  },
  {
    id: "content-type",
    rule: "M10",
    title: "Content-Type decides nothing",
    run: async (kit) => {
      const app = await kit.leastBusyApp();
      // A refusal shows as well that the body was read, and makes no package.
      const plain = await kit.announce(app, "[]");
      for (const type of ["application/x-www-form-urlencoded", "a/b/c", "nonsense;;="]) {
        const { status } = await kit.announce(app, "[]", { "content-type": type });
        assertSame(status, plain.status, `The status of a list sent as ${type}`);
      }
      const body = JSON.stringify(manifestOf(smallSounds("a.wav")));
      const answer = await kit.announce(app, body, { "content-type": "audio/wav" });
      assertStatus(answer, 201);
      const path = String(partOf(answer.json, "upload", "a.wav"));
      for (const type of ["application/json", "text/plain", "no type at all", "nonsense;;="]) {
        const headers = { "content-type": type };
        const [sound] = smallSounds("a.wav");
        const put = await kit.call("PUT", path, { token: app.token, headers, body: sound?.bytes });
        assertStatus(put, 200);
      }
    },
  },
  {
    id: "schema",
    rule: "M5",
    title: "the strict schema can be read at /manifest.schema.json",
    run: async (kit) => {
      const answer = await kit.call("GET", "/manifest.schema.json");
      assertStatus(answer, 200);
      assertSame(partOf(answer.json, "additionalProperties"), false, "additionalProperties");
    },
  },
  {
    id: "idempotent",
    rule: "M9",
    title: "the same Idempotency-Key and bytes get the same 201, and nothing new is made",
    run: async (kit) => {
      const { send } = await keyed(kit);
      const [first, again] = [await send("a.wav"), await send("a.wav")];
      assertStatus(again, 201);
      assertSame(again.json, first.json, "The second answer");
    },
  },
  {
    id: "idempotent-at-once",
    rule: "M9",
    title: "of two at once with one Idempotency-Key, both get the same 201",
    run: async (kit) => {
      const { send } = await keyed(kit);
      const [first, again] = await Promise.all([send("a.wav"), send("a.wav")]);
      assertStatus(again, 201);
      assertSame(again.json, first.json, "The second answer");
    },
  },
  {
    id: "idempotent-other-bytes",
    rule: "M9",
    title: "the same Idempotency-Key with other bytes is 422",
    run: async (kit) => {
      const { send } = await keyed(kit);
      await send("a.wav");
      assertRefusal(await send("b.wav"), "IDEMPOTENCY_KEY_REUSED");
    },
  },
  {
    id: "idempotent-freed",
    rule: "M9",
    title: "withdrawing the package frees its Idempotency-Key",
    run: async (kit) => {
      const { send, token } = await keyed(kit);
      const first = partOf((await send("a.wav")).json, "package_id");
      await kit.call("DELETE", `/packages/${String(first)}`, { token });
      const again = await send("b.wav");
      assertStatus(again, 201);
      assert(partOf(again.json, "package_id") !== first, "The withdrawn package is back.");
    },
  },
];

async function announce(kit: Kit): Promise<void> {
  const sounds = smallSounds("kick.wav", "loop.wav");
  const manifest = manifestOf(sounds, {
    title: "Night Drive",
    source: { app: "Beat Lab", app_version: "2.1", platform: "web" },
    tempo: { bpm: 124, time_signature: [3, 4] },
    created_at: "2026-01-31T12:00:00Z",
    items: sounds.map((sound, at) => itemOf(sound, at === 1 ? LOOP : {})),
  });
  const announced = await kit.announce(await kit.leastBusyApp(), manifest);
  assertStatus(announced, 201);
  const id = partOf(announced.json, "package_id");
  assertMatches(id, /./, "package_id");
  const upload = Object.entries(Object(partOf(announced.json, "upload")));
  const files = upload.map(([file]) => file).toSorted();
  assertSame(files, ["kick.wav", "loop.wav"], "The list of files in upload");
  for (const [file, path] of upload) assertMatches(path, /^\//, `${file}'s path`);
  const warnings = partOf(announced.json, "warnings");
  assert(Array.isArray(warnings), `warnings is ${show(warnings)}; expected a list.`);
  if (kit.contract === "public") return;
  assertMatches(id, /^pkg_[\w-]{22}$/, "package_id");
  assertSame(warnings, [], "warnings");
  assertExpiry(announced.json, "The announcement", WINDOW_SECONDS);
}

async function ids(kit: Kit): Promise<void> {
  const sounds = smallSounds("a.wav", "b.wav", "c.wav", "d.wav");
  const sent = ["__proto__", "__proto__", undefined, 7];
  const made = await kit.uploaded(sounds, {
    items: sounds.map((sound, at) => itemOf(sound, { id: sent[at] })),
  });
  assertSame(
    listOf(made.announced.json, "warnings").map((one) => [
      partOf(one, "sound"),
      partOf(one, "code"),
    ]),
    [
      ["__proto__-2", "ID_TAKEN"],
      ["4", "ID_REPLACED"],
    ],
    "The list of warnings",
  );
  await kit.commit(made);
  const imported = { status: "imported" };
  const results = new Map(["__proto__", "3"].map((id) => [id, imported]));
  await kit.report(made, Object.fromEntries(results));
  const { json } = await kit.status(made);
  assertSame(partOf(json, "results", "__proto__", "status"), "imported", "The result of __proto__");
  assertSame(
    partOf(json, "results", "__proto__-2", "status"),
    "failed",
    "The result of __proto__-2",
  );
}

/** Announces under one Idempotency-Key. */
async function keyed(kit: Kit) {
  const key = randomUUID();
  const app = await kit.leastBusyApp();
  return {
    token: app.token,
    send: (file: string) =>
      kit.announce(app, JSON.stringify(manifestOf(smallSounds(file))), { "idempotency-key": key }),
  };
}
