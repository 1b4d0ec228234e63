import { expect, test } from "vitest";
import { readRuleTable } from "../../../scripts/tests/rule-table.ts";
import { CHECKS } from "../../../cli/conformance/all-checks.ts";
import { REFUSED_CASES } from "../../../cli/conformance/checks/manifest-refusals.ts";
import {
  LOOP_REPAIRS,
  MANIFEST_REPAIRS,
  ONE_SHOT_REPAIRS,
} from "../../../cli/conformance/checks/manifest-repairs.ts";
import { STANDING } from "../../../cli/conformance/watch.ts";
import { FIELDS, type Field } from "../../../core/manifest/fields.ts";

const ALL = [...CHECKS, ...STANDING];

test("[Q2] every check has an id of its own and names a rule that there is", () => {
  const ids = ALL.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const { rules } = readRuleTable();
  expect(ALL.filter(({ rule }) => !rules.has(rule))).toEqual([]);
});

test("[Q2] tests every field of the manifest with each outcome of a bad value", () => {
  const repairs = [...MANIFEST_REPAIRS.flat(), ...LOOP_REPAIRS, ...ONE_SHOT_REPAIRS];
  const tried = new Set(repairs.map(({ field, code }) => `${field} ${code}`));
  const refused = new Set<string>(REFUSED_CASES.map(({ code }) => code));
  const untried = Object.entries(FIELDS).flatMap(([group, fields]) =>
    Object.entries<Field>(fields).flatMap(([name, field]) => {
      if (field.remedy.kind === "refuse") {
        return field.remedy.codes.filter((code) => !refused.has(code));
      }
      const path = group === "source" || group === "tempo" ? `${group}.${name}` : name;
      return codesOf(field)
        .map((code) => `${path} ${code}`)
        .filter((each) => !tried.has(each) && name !== "id");
    }),
  );
  expect(untried).toEqual([]);
});

/** The warnings for a bad value; ids have their own check. */
function codesOf({ remedy, isOnlyForLoops }: Field): readonly string[] {
  if (remedy.kind === "ignore") return ["MIDI_IGNORED"];
  return [
    "VALUE_IGNORED",
    ...(isOnlyForLoops ? ["LOOP_ONLY"] : []),
    ...(remedy.kind === "clamp" ? ["VALUE_CLAMPED"] : []),
    ...(remedy.kind === "clean" ? ["TEXT_CLEANED", "TEXT_CUT"] : []),
  ];
}
