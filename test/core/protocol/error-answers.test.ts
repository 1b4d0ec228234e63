import { describe, expect, test } from "vitest";
import { MAX_PROBLEMS } from "../../../core/limits.ts";
import { parseLocalManifest } from "../../../core/manifest/parse-manifest.ts";
import {
  errorAnswer,
  fileUnknown,
  nameSound,
  refusal,
  type Refusal,
  refuseAll,
} from "../../../core/protocol/refusal.ts";

const { items } = parseLocalManifest(
  {
    schema: "app2host/1",
    title: "Kit",
    source: { app: "Looper" },
    items: ["Kick", "Snare"].map((name) => ({ file: `${name}.wav`, name, kind: "oneshot" })),
  },
  { packageId: "pkg_a" },
).manifest;

describe("[E3] the answer of a refused call", () => {
  test("has the sentence, the code, the subject and the body's members, but never the cause", () => {
    const cause = new Error("SQLITE_BUSY");
    const about = { field: "title" };
    const refused = refusal("NOT_JSON", {}, { about, body: { missing: ["a"] }, cause });
    expect(refused.cause).toBe(cause);
    const { message: error } = refused;
    expect(errorAnswer(refused)).toEqual({
      error,
      code: "NOT_JSON",
      field: "title",
      missing: ["a"],
    });
    expect(errorAnswer(refusal("NOT_JSON"))).toEqual({ error, code: "NOT_JSON" });
    expect("cause" in refusal("NOT_JSON")).toBe(false);
  });

  test("has each problem with its own subject, the first one in front", () => {
    const first = refusal("FILE_UNKNOWN", { file: "a.wav" }, { about: { file: "a.wav" } });
    const all = refuseAll([first, refusal("NOT_JSON")]);
    expect(errorAnswer(all)).toEqual({
      ...errorAnswer(first),
      problems: [errorAnswer(first), errorAnswer(refusal("NOT_JSON"))],
    });
  });

  test.each([MAX_PROBLEMS - 1, MAX_PROBLEMS, MAX_PROBLEMS + 1, MAX_PROBLEMS + 7])(
    "has at most MAX_PROBLEMS of %i problems, and then counts the rest",
    (count) => {
      const refusals = Array.from({ length: count - 1 }, (_, at) => fileUnknown(`${at}.wav`));
      const { problems = [] } = errorAnswer(refuseAll([fileUnknown("first.wav"), ...refusals]));
      expect(problems).toHaveLength(Math.min(count, MAX_PROBLEMS));
      const shown = problems.filter(({ code }) => code === "FILE_UNKNOWN").length;
      expect(shown).toBe(count > MAX_PROBLEMS ? MAX_PROBLEMS - 1 : count);
      const last = problems.at(-1)?.error;
      if (count > MAX_PROBLEMS) expect(last).toContain(String(count - shown));
    },
  );

  test("keeps what a refusal had when more is added", () => {
    const refused = refusal("RUN_ELSEWHERE", { seconds: 7 }, { retryAfterSeconds: 7 });
    const more = refused.with({ body: { expires_in: 7 } });
    expect(more).toMatchObject({ code: "RUN_ELSEWHERE", message: refused.message });
    expect(more.extras).toEqual({ retryAfterSeconds: 7, body: { expires_in: 7 } });
  });
});

describe("[E3] a refusal of a file", () => {
  test("names the sound, its place, and the property that the bytes contradict", () => {
    const about = { sound: "2", file: "Snare.wav", position: 2 };
    const file = "Snare.wav";
    const aboutOf = (refused: Refusal) => nameSound(refused, items, file).extras.about;
    expect(aboutOf(refusal("WAV_CUT_SHORT", { file }))).toEqual(about);
    const longer = refusal("SIZE_DIFFERS", { file, got: 2, announced: 1 });
    expect(aboutOf(longer)).toEqual({ ...about, field: "bytes" });
    const other = refusal("CHECKSUM_DIFFERS", { file });
    expect(aboutOf(other)).toEqual({ ...about, field: "sha256" });
  });

  test("names no sound where the sentence names no file, and where the package has no such file", () => {
    const general = refusal("NOT_JSON");
    expect(nameSound(general, items, "Kick.wav")).toBe(general);
    const refused = fileUnknown("Hat.wav");
    expect(nameSound(refused, items, "Hat.wav")).toBe(refused);
    expect(errorAnswer(refused)).toMatchObject({ code: "FILE_UNKNOWN", file: "Hat.wav" });
    expect(refused.message).toContain("Hat.wav");
  });
});
