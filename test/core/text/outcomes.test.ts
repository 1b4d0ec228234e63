import { expect, test } from "vitest";
import { formatInto } from "../../../core/text/format-host.ts";
import { formatOutcome, formatStatus } from "../../../core/text/format-outcome.ts";
import { formatRole } from "../../../core/text/format-role.ts";
import { inEnglish } from "../../../core/messages/translate.ts";

const said = (...statuses: ("imported" | "skipped" | "failed")[]) =>
  formatOutcome(
    inEnglish,
    statuses.map((status) => ({ status })),
  );

test("an outcome counts the imported sounds and has a tone", () => {
  expect(said("imported")).toEqual({ words: "1 sound imported", tone: "good" });
  expect(said("imported", "imported")).toEqual({ words: "All 2 sounds imported", tone: "good" });
  expect(said("skipped", "imported", "failed")).toEqual({
    words: "1 of 3 sounds imported",
    tone: "mixed",
  });
  expect(said("failed", "skipped")).toEqual({ words: "None of 2 sounds imported", tone: "bad" });
  expect(said("failed")).toEqual({ words: "The sound was not imported", tone: "bad" });
});

test("a sound's status is one word", () => {
  const statuses = ["imported", "skipped", "failed"] as const;
  expect(statuses.map((status) => formatStatus(inEnglish, status))).toEqual([
    "Imported",
    "Skipped",
    "Failed",
  ]);
});

test("every role has a display name", () => {
  const roles = ["drums", "bass", "melodic", "vocal", "texture", "fx"] as const;
  const names = ["Drums", "Bass", "Melodic", "Vocal", "Texture", "FX"];
  expect(roles.map((role) => formatRole(inEnglish, role))).toEqual(names);
});

test.each([
  [undefined, "All imported"],
  ["live", "All imported into Live"],
  ["preview", "All imported into the preview"],
  ["dawproject", "All imported into a DAWproject"],
  ["dawproject-arrangement", "All imported into a DAWproject with an arrangement"],
  ["reaper", "All imported into reaper"],
])("the destination %s reads “%s”", (host, words) => {
  expect(formatInto(inEnglish, "All imported", host)).toBe(words);
});
