import type { Check } from "../check.ts";
import { assertRefusal, assertSame, listOf, partOf } from "../assert.ts";
import { requireNewer } from "../require-newer.ts";

const GOOD = { file: "a.wav", bytes: 244, sha256: "0".repeat(64) };
const MEMBERS = ["code", "sound", "file", "field", "position"];

/** What an error is about. Older relays don't say it. */
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
