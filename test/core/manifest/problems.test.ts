import { describe, expect, test } from "vitest";
import { errorAnswer } from "../../../core/protocol/refusal.ts";
import { refusedBy, sentManifest, sentSound, SHA256 } from "./sample-manifest.ts";

const good = sentSound({}, "hat.wav");

const problemsOf = (value: unknown) => errorAnswer(refusedBy(value)).problems ?? [];
const ofSounds = (...items: readonly unknown[]) => problemsOf(sentManifest({}, items));

describe("the problems of a refused manifest", () => {
  test("[E3][M3] are all there, in reading order, and the first one is the answer's own", () => {
    const value = sentManifest({}, [
      { ...good, id: "hat", name: "Hat", bytes: 0, sha256: "" },
      good,
      null,
      { file: "../a.wav", bytes: 5, sha256: SHA256 },
    ]);
    const { problems = [], ...answer } = errorAnswer(refusedBy(value));
    expect(problems[0]).toEqual(answer);
    expect(answer).toEqual({
      error: 'Sound 1 "Hat": bytes must be 1 to 209715200.',
      code: "BYTES_WRONG",
      sound: "hat",
      file: "hat.wav",
      field: "bytes",
      position: 1,
    });
    expect(problems.slice(1)).toMatchObject([
      { code: "SHA256_WRONG", sound: "hat", file: "hat.wav", field: "sha256", position: 1 },
      { code: "FILE_TWICE", sound: "2", file: "hat.wav", field: "file", position: 2 },
      { code: "ITEM_NOT_OBJECT", sound: "3", position: 3 },
      { code: "FILE_NAME_WRONG", sound: "4", field: "file", position: 4 },
    ]);
  });

  test("[E3][M3] name each sound that doesn't fit, and count the bytes of the others", () => {
    const sizes = [200_000_000, 10_000_000, 9_000_000, 715_201];
    const sounds = sizes.map((bytes, index) => sentSound({ bytes }, `${index}.wav`));
    expect(ofSounds(...sounds).map(({ code, position }) => [code, position])).toEqual([
      ["TOTAL_TOO_LARGE", 2],
      ["TOTAL_TOO_LARGE", 4],
    ]);
  });

  test("[E3][M7] name a sound by the id that it would get", () => {
    const bad = { ...good, bytes: 0 };
    const ids = ofSounds({ ...bad, id: "a" }, { ...bad, id: "a", file: "b.wav" }, bad);
    expect([...new Set(ids.map(({ sound }) => sound))]).toEqual(["a", "a-2", "3"]);
  });

  test("[E3][M1][M2] a manifest of another shape has one, about the field", () => {
    const aboutOf = (value: unknown) => errorAnswer(refusedBy(value)).field;
    expect(aboutOf(sentManifest({ schema: "app2host/2" }, [null]))).toBe("schema");
    expect(aboutOf(sentManifest({ schema: 1 }, [null]))).toBe("schema");
    expect(aboutOf(sentManifest({ items: [] }))).toBe("items");
    expect(aboutOf(sentManifest({ items: Array.from({ length: 33 }) }))).toBe("items");
    expect(aboutOf([])).toBeUndefined();
  });

  test("[E3] are at most 64, of which the last says how many more there are", () => {
    const sounds = Array.from({ length: 32 }, () => ({}));
    const { problems = [] } = errorAnswer(refusedBy(sentManifest({}, sounds)));
    expect(problems).toHaveLength(64);
    expect(problems.at(-1)).toEqual({
      error: "There are 33 more problems.",
      code: "MORE_PROBLEMS",
    });
    expect(ofSounds(...sounds.slice(0, 21))).toHaveLength(63);
  });
});
