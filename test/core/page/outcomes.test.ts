import { expect, test } from "vitest";
import { formatInto } from "../../../core/page/format-host.ts";
import { formatOutcome, formatStatus } from "../../../core/page/format-outcome.ts";
import { formatRole } from "../../../core/page/format-role.ts";

const said = (...statuses: ("imported" | "skipped" | "failed")[]) =>
  formatOutcome(statuses.map((status) => ({ status })));

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
  expect(statuses.map(formatStatus)).toEqual(["Imported", "Skipped", "Failed"]);
});

test("every role has a display name", () => {
  const roles = ["drums", "bass", "melodic", "vocal", "texture", "fx"] as const;
  const names = ["Drums", "Bass", "Melodic", "Vocal", "Texture", "FX"];
  expect(roles.map(formatRole)).toEqual(names);
});

test.each([
  [undefined, ""],
  ["live", " into Live"],
  ["preview", " into the preview"],
  ["dawproject", " into a DAWproject"],
  ["dawproject-arrangement", " into a DAWproject with an arrangement"],
  ["reaper", " into reaper"],
])("the destination %s reads “imported%s”", (host, words) => {
  expect(formatInto(host)).toBe(words);
});
