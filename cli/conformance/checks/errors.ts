import { gzipSync } from "node:zlib";
import {
  assert,
  assertRefusal,
  assertSame,
  assertStatus,
  assertSuccess,
  listOf,
  partOf,
  show,
} from "../assert.ts";
import { LeftOut, requireNewer } from "../assertion-failure.ts";
import type { Check } from "../check.ts";
import type { Kit } from "../kit.ts";
import { smallSounds } from "../sounds.ts";

/** The form of errors. */
export const ERROR_CHECKS: readonly Check[] = [
  {
    id: "unknown-address",
    rule: "E1",
    title: "an unknown address is 404",
    run: async (kit) => assertRefusal(await kit.call("GET", "/nowhere"), "PATH_UNKNOWN"),
  },
  {
    id: "wrong-method",
    rule: "E1",
    title: "a wrong method is 405",
    run: async (kit) => {
      for (const [method, path] of [
        ["PATCH", "/packages"],
        ["GET", "/pair/claim"],
        ["DELETE", "/packages/pkg_none/status"],
      ] as const) {
        assertRefusal(await kit.call(method, path), "METHOD_WRONG");
      }
    },
  },
  {
    id: "address-spelled",
    rule: "E5",
    title: "more slashes, one at the end and needless escapes don't change an address",
    run: async (kit) => {
      const { token } = await kit.app();
      for (const path of ["/app/me/", "//app/me", "/app//me", "/app/%6de", "//app/%6De//"]) {
        assertStatus(await kit.call("GET", path, { token }), 200);
      }
    },
  },
  {
    id: "json-marked",
    rule: "M11",
    title: "a byte order mark before the JSON is skipped",
    run: async (kit) => {
      const body = `\uFEFF${JSON.stringify({ schema: "app2host/1" })}`;
      assertRefusal(await kit.announce(await kit.app(), body), "ITEMS_MISSING");
    },
  },
  {
    id: "json-wrapped",
    rule: "M11",
    title: "JSON in a form, as UTF-16 or compressed is 400 with a code that says so",
    run: async (kit) => {
      const app = await kit.app();
      const json = JSON.stringify({ schema: "app2host/1", items: [] });
      const form = `--x\r\nContent-Disposition: form-data; name="manifest"\r\n\r\n${json}\r\n--x--\r\n`;
      const type = { "content-type": "multipart/form-data; boundary=x" };
      assertRefusal(await kit.announce(app, form, type), "JSON_IN_FORM");
      for (const bytes of [gzipSync(json), Buffer.from(`\uFEFF${json}`, "utf16le")]) {
        assertRefusal(await kit.announce(app, bytes), "JSON_ENCODED");
      }
    },
  },
  {
    id: "not-json",
    rule: "M1",
    title: "a manifest that isn't JSON, or is empty, is 400",
    run: async (kit) => {
      const app = await kit.app();
      assertRefusal(await kit.announce(app, '{"schema":'), "NOT_JSON");
      assertRefusal(await kit.announce(app, ""), "NOT_JSON");
    },
  },
  {
    id: "malformed-request",
    rule: "E1",
    title: "a request that isn't HTTP is 400 with a sentence, if it is answered at all",
    run: async (kit) => {
      const answer = await kit.wire.raw("HELLO\r\n\r\n");
      if (answer.headers["x-request-id"] === undefined) {
        throw new LeftOut(
          "It never reached the relay: something in front of it answered, or nothing did.",
        );
      }
      assertRefusal(answer, "REQUEST_MALFORMED");
    },
  },
  {
    id: "long-names-shortened",
    rule: "E1",
    title: "a long name inside an error is shortened, and the problem stays readable",
    run: longNames,
  },
  {
    id: "request-ids",
    rule: "E2",
    title: "reads, changes and refusals alike have an X-Request-Id of their own",
    run: async (kit) => {
      const made = await kit.uploading();
      const answers = [made.announced, await kit.commit(made), await kit.status(made)];
      const ids = answers.map(({ headers }) => headers["x-request-id"]);
      assertSame(ids.includes(undefined), false, "Whether one has none");
      assertSame(new Set(ids).size, answers.length, "The number of ids of three answers");
    },
  },
  {
    id: "error-codes",
    rule: "E3",
    title: "each refusal has a code of its own",
    run: async (kit) => {
      assertRefusal(await kit.call("DELETE", "/app/me"), "METHOD_WRONG");
      assertRefusal(await kit.call("GET", "/nowhere/at/all"), "PATH_UNKNOWN");
      const { token } = await kit.app();
      assertRefusal(
        await kit.call("GET", "/packages/pkg_none/status", { token }),
        "PACKAGE_UNKNOWN",
      );
    },
  },
  {
    id: "client-header",
    rule: "E4",
    title: "X-Service-Client may say anything",
    spec: "4 an optional header X-Service-Client: <app>/<version> (<display name>)",
    run: async (kit) => {
      const { token } = await kit.app();
      const others = ["", "no/slash (", "x".repeat(2000), "App/1 (Caf\u00E9)"];
      for (const said of ["App/1.0 (My App)", ...(kit.contract === "whole" ? others : [])]) {
        const headers = { "x-service-client": said };
        assertSuccess(await kit.call("GET", "/app/me", { token, headers }), 200);
      }
    },
  },
];

async function longNames(kit: Kit): Promise<void> {
  const file = `${"long".repeat(24)}.wav`;
  const made = await kit.uploading(smallSounds(file));
  const answer = await kit.put(made, { file, bytes: Buffer.alloc(9) });
  assertRefusal(answer, "SIZE_DIFFERS");
  const error = String(partOf(answer.json, "error"));
  const isReadable = error.startsWith("long") && error.includes("…") && /\b9\b/.test(error);
  assert(isReadable, `The error is ${show(error)}.`);
}

const GOOD = { file: "a.wav", bytes: 244, sha256: "0".repeat(64) };
const MEMBERS = ["code", "sound", "file", "field", "position"];

/** Checks of what an error is about. Older relays don't say it. */
export const SUBJECT_CHECKS: readonly Check[] = [
  {
    id: "manifest-problems",
    rule: "E3",
    title: "a refused manifest lists all its problems, each with sound, field and position",
    run: async (kit) => {
      const items = [
        { ...GOOD, id: "kick", bytes: 0, sha256: "" },
        { ...GOOD, id: "hat", file: undefined },
      ];
      const body = JSON.stringify({ schema: "app2host/1", items });
      const answer = await kit.announce(await kit.leastBusyApp(), body);
      assertRefusal(answer, "BYTES_WRONG");
      const { json } = answer;
      requireNewer(partOf(json, "problems") !== undefined, "problems in its errors");
      const got = listOf(json, "problems");
      assertSame(
        got.map((problem) => MEMBERS.map((name) => partOf(problem, name) ?? null)),
        [
          ["BYTES_WRONG", "kick", "a.wav", "bytes", 1],
          ["SHA256_WRONG", "kick", "a.wav", "sha256", 1],
          ["FILE_NAME_MISSING", "hat", null, "file", 2],
        ],
        "problems",
      );
      assertSame(partOf(got[0], "error"), partOf(json, "error"), "The error of the first problem");
    },
  },
  {
    id: "upload-error-names-sound",
    rule: "E3",
    title: "the refusal of an upload says which sound it is",
    run: async (kit) => {
      const made = await kit.uploading();
      const answer = await kit.put(made, { file: "one.wav", bytes: Buffer.alloc(9) });
      assertRefusal(answer, "SIZE_DIFFERS");
      requireNewer(partOf(answer.json, "sound") !== undefined, "sound in its errors");
      assertSame(partOf(answer.json, "file"), "one.wav", "file");
      assertSame(partOf(answer.json, "position"), 1, "position");
    },
  },
];
