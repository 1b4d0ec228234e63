import { assert, assertRefusal, assertSame, assertStatus, partOf, show } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit, TestPackage } from "../kit.ts";
import { pathOfFile } from "../relay-calls.ts";
import { digestOf, itemOf, makeWav, smallSounds } from "../sounds.ts";

const WAV = makeWav({ fill: 1 });
/** A WAV as long as `WAV`, with other audio. */
const OTHER_WAV = makeWav({ fill: 9 });
/** The first file of every package in these checks. */
const FILE = "one.wav";

/** Files announced with the checksum of `WAV` and so many bytes more than it has. */
const OTHER_SIZES = [
  ["short.wav", 2],
  ["long.wav", -2],
] as const;

/** Uploads by an app. */
export const UPLOAD_CHECKS: readonly Check[] = [
  {
    id: "upload",
    rule: "U8",
    title: "a good upload is 200 with file, bytes and sha256",
    spec: "4 PUT: 200",
    run: async (kit) => {
      const made = await kit.uploading();
      const answer = await kit.put(made, { file: FILE, bytes: WAV });
      assertStatus(answer, 200);
      if (kit.contract === "public") return;
      assertSame(
        answer.json,
        { file: FILE, bytes: WAV.length, sha256: digestOf(WAV) },
        "The answer to the upload",
      );
    },
  },
  {
    id: "upload-chunked",
    rule: "U2",
    title: "an upload without Content-Length is taken",
    run: async (kit) => {
      const { app, pathOf } = await kit.uploading();
      const options = { token: app.token, body: WAV, isChunked: true };
      assertStatus(await kit.call("PUT", pathOf(FILE), options), 200);
    },
  },
  {
    id: "upload-wrong-length",
    rule: "U2",
    title: "a Content-Length other than announced is refused before the bytes are there",
    run: inTurn(async (kit) => {
      const made = await neverUploaded(kit);
      const { app, pathOf } = made;
      const headers = { "content-length": "100000" };
      using call = kit.wire.open("PUT", pathOf(FILE), { token: app.token, headers });
      assertRefusal(await call.answer, "SIZE_DIFFERS");
      await assertFileState(kit, made, "missing");
    }),
  },
  {
    id: "upload-chunked-too-long",
    rule: "U2",
    title: "without Content-Length, more bytes than announced are refused",
    run: async (kit) => {
      const made = await neverUploaded(kit);
      const { app, pathOf } = made;
      for (const frames of [101, 5000]) {
        const options = { token: app.token, body: makeWav({ frames, fill: 1 }), isChunked: true };
        assertRefusal(await kit.call("PUT", pathOf(FILE), options), "SIZE_DIFFERS");
      }
      await assertFileState(kit, made, "missing");
    },
  },
  {
    id: "upload-too-short",
    rule: "U3",
    title: "fewer bytes than announced are 422, and the text names the file",
    spec: "4 PUT: checked against the announced size",
    run: async (kit) => {
      const made = await neverUploaded(kit);
      const answer = await kit.put(made, { file: FILE, bytes: WAV.subarray(0, -1) });
      assertRefusal(answer, "SIZE_DIFFERS");
      if (kit.contract === "public") return;
      const error = String(partOf(answer.json, "error"));
      assert(error.includes(FILE), `The error does not name the file: ${show(error)}.`);
      await assertFileState(kit, made, "missing");
    },
  },
  {
    id: "upload-other-size",
    rule: "U3",
    title: "a file shorter or longer than announced is 422, also with the right checksum",
    spec: "4 PUT: checked against the announced size",
    run: async (kit) => {
      const made = await neverUploaded(kit);
      for (const [file] of OTHER_SIZES) {
        assertRefusal(await kit.put(made, { file, bytes: WAV }), "SIZE_DIFFERS");
      }
    },
  },
  {
    id: "upload-wrong-checksum",
    rule: "U3",
    title: "a wrong checksum is 422, and the file is still missing",
    spec: "4 PUT: checked against the checksum",
    run: async (kit) => {
      const made = await neverUploaded(kit);
      const answer = await kit.put(made, { file: FILE, bytes: OTHER_WAV });
      assertRefusal(answer, "CHECKSUM_DIFFERS");
      if (kit.contract === "whole") await assertFileState(kit, made, "missing");
    },
  },
  {
    id: "upload-unknown-package",
    rule: "U3",
    title: "an upload to an unknown package is 404",
    spec: "7 an upload refused for an unknown package or file",
    run: async (kit) => {
      const { token } = await kit.app();
      const answer = await kit.call("PUT", `/packages/pkg_none/files/${FILE}`, {
        token,
        body: WAV,
      });
      assertRefusal(answer, "PACKAGE_UNKNOWN");
    },
  },
  {
    id: "upload-unknown-file",
    rule: "U3",
    title: "an upload of a file that was not announced is 404",
    spec: "7 an upload refused for an unknown package or file",
    run: async (kit) => {
      const { id, app } = await neverUploaded(kit);
      const path = pathOfFile(id, "other.wav");
      const answer = await kit.call("PUT", path, { token: app.token, body: WAV });
      assertRefusal(answer, "FILE_UNKNOWN");
    },
  },
  {
    id: "package-of-another-app",
    rule: "U3",
    title: "another app's package is 404 for every call",
    run: async (kit) => {
      const { app, id, pathOf } = await kit.uploading();
      const apps = [await kit.app("first"), await kit.app("second")];
      const token = apps.find((one) => one.appId !== app.appId)?.token;
      for (const [method, path] of [
        ["PUT", pathOf(FILE)],
        ["POST", `/packages/${id}/commit`],
        ["GET", `/packages/${id}/status`],
        ["DELETE", `/packages/${id}`],
      ] as const) {
        const body = method === "PUT" ? WAV : undefined;
        assertRefusal(await kit.call(method, path, { token, body }), "PACKAGE_UNKNOWN");
      }
    },
  },
  {
    id: "upload-again",
    rule: "U3",
    title: "a file may be sent again, and a refused replacement leaves the good one",
    run: async (kit) => {
      const made = await kit.uploaded();
      assertStatus(await kit.put(made, { file: FILE, bytes: WAV }), 200);
      assertRefusal(await kit.put(made, { file: FILE, bytes: OTHER_WAV }), "CHECKSUM_DIFFERS");
      await assertFileState(kit, made, "uploaded");
    },
  },
  {
    id: "upload-twice-at-once",
    rule: "U3",
    title: "of two uploads of one file at once, both are answered 200",
    run: inTurn(async (kit) => {
      const made = await kit.uploading();
      const put = () => kit.put(made, { file: FILE, bytes: WAV });
      const answers = await Promise.all([put(), put()]);
      for (const answer of answers) assertStatus(answer, 200);
    }),
  },
  {
    id: "upload-after-commit",
    rule: "U3",
    title: "an upload after the commit is 409",
    run: async (kit) => {
      const made = await kit.waiting();
      assertRefusal(await kit.put(made, { file: FILE, bytes: WAV }), "NOT_UPLOADING");
    },
  },
  {
    id: "upload-judged-at-its-end",
    rule: "U3",
    title: "an upload whose package was withdrawn meanwhile is 404",
    run: inTurn(async (kit) => {
      const made = await kit.uploading();
      using call = openUpload(kit, made);
      call.write(WAV.subarray(0, 100));
      assertStatus(await kit.withdraw(made), 200);
      call.write(WAV.subarray(100));
      call.end();
      assertRefusal(await call.answer, "PACKAGE_UNKNOWN");
    }),
  },
  {
    id: "upload-broken-off",
    rule: "U5",
    title: "after an interrupted upload the file is missing, and can be sent again",
    run: inTurn(async (kit) => {
      const made = await kit.uploading();
      using call = openUpload(kit, made);
      call.write(WAV.subarray(0, 100));
      await assertFileState(kit, made, "missing");
      call.abort();
      await assertFileState(kit, made, "missing");
      assertStatus(await kit.put(made, { file: FILE, bytes: WAV }), 200);
      await assertFileState(kit, made, "uploaded");
    }),
  },
  {
    id: "upload-answer-readable",
    rule: "U1",
    title: "a sender of 2 MiB that are not WAV that reads only afterwards still gets the answer",
    run: async (kit) => {
      const bytes = Buffer.alloc(2 ** 21, 7);
      const made = await kit.uploading([{ file: FILE, bytes }]);
      assertRefusal(await kit.put(made, { file: FILE, bytes }), "WAV_NOT_RIFF");
    },
  },
  {
    id: "upload-many",
    rule: "U8",
    title: "a package takes two uploads at once",
    run: inTurn(async (kit) => {
      const sounds = smallSounds("a.wav", "b.wav");
      const made = await kit.uploading(sounds);
      const answers = await Promise.all(sounds.map((sound) => kit.put(made, sound)));
      for (const answer of answers) assertStatus(answer, 200);
      assertStatus(await kit.commit(made), 200);
    }),
  },
];

/** Checks that hold uploads open take turns: a computer may have four at once. */
function inTurn(run: Check["run"]): Check["run"] {
  return (kit) => kit.inTurn("uploads", () => run(kit));
}

/** The package for all checks whose upload is refused. */
function neverUploaded(kit: Kit): Promise<TestPackage> {
  return kit.share("never uploaded", () => {
    const others = OTHER_SIZES.map(([file, more]) =>
      itemOf({ file, bytes: WAV }, { bytes: WAV.length + more }),
    );
    const sounds = smallSounds(FILE);
    return kit.uploading(sounds, { items: [...sounds.map((sound) => itemOf(sound)), ...others] });
  });
}

/** Starts an upload of `one.wav`. */
export function openUpload(kit: Kit, { app, pathOf }: TestPackage) {
  const headers = { "content-length": String(WAV.length) };
  return kit.wire.open("PUT", pathOf(FILE), { token: app.token, headers });
}

async function assertFileState(kit: Kit, made: TestPackage, state: "missing" | "uploaded") {
  const { json } = await kit.status(made);
  assertSame(partOf(json, "files", FILE), state, `The file's state`);
}
