import { isDeepStrictEqual } from "node:util";
import { ControlError } from "../../../addon/control/control-call.ts";
import { editableField } from "../../../core/manifest/editable-fields.ts";
import type { Warning } from "../../../core/manifest/manifest.ts";
import type { ParsedLocalManifest } from "../../../core/manifest/parse-manifest.ts";
import type { FieldChange } from "../../../core/protocol/preview-api.ts";
import { parseJson } from "../../../core/text/parse-json.ts";
import { editText, type FieldPath } from "./edit-text.ts";
import { judgeManifest } from "../../layout/manifest/find-faults.ts";

/**
 * Returns a manifest's text with fields set or removed. Refuses whatever the format would refuse or repair, so that an
 * edit adds no fault (rule V16).
 * @param text without a byte order mark
 * @throws {ControlError} 400 with a sentence; 409 if the manifest isn't fit for edits
 */
export function planEdit(text: string, changes: readonly FieldChange[]): string {
  const before = judgeManifest(text);
  if (before.parsed === undefined || before.tree.root === undefined) {
    throw new ControlError(409, "This manifest can't be edited here. Correct it in a text editor.");
  }
  const ids = before.parsed.manifest.items.map(({ id }) => id);
  let edited = text;
  for (const change of changes) {
    const path = pathOf(change, ids);
    if (!isSetTo(edited, path, change.value)) edited = editText(edited, path, change.value);
  }
  if (edited === text) return text;
  const after = judgeManifest(edited);
  if (after.parsed === undefined) throw new Error("An edit broke the manifest.");
  const [fault] = newFaults(before.parsed, after.parsed);
  if (fault !== undefined) throw new ControlError(400, fault);
  for (const change of changes) {
    if (!isSetTo(edited, pathOf(change, ids), change.value)) throw new Error("An edit went wrong.");
  }
  return edited;
}

function pathOf({ soundId, field, value }: FieldChange, ids: readonly string[]): FieldPath {
  if (editableField(field, soundId !== null) === undefined) {
    throw new ControlError(400, `"${field}" can't be edited here.`);
  }
  if (!isSimple(value)) {
    throw new ControlError(400, `${field} must be text, a number or a list of numbers.`);
  }
  const sound = soundId === null ? null : ids.indexOf(soundId);
  if (sound === -1) throw new ControlError(400, "There is no such sound in the manifest.");
  const [first = "", second] = field.split(".");
  return { sound, names: second === undefined ? [first] : [first, second] };
}

function isSimple(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === "number");
  return value === null || typeof value === "string" || typeof value === "number";
}

/** Checks whether the field has the value; null means that there is none. */
function isSetTo(text: string, { sound, names }: FieldPath, value: unknown): boolean {
  const places = sound === null ? names : ["items", sound, ...names];
  const found = places.reduce<unknown>(memberOf, parseJson(text));
  return value === null ? found === undefined : isDeepStrictEqual(found, value);
}

function memberOf(object: unknown, name: string | number): unknown {
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, name))
    return undefined;
  return Reflect.get(object, name);
}

/** Sentences for what only the edited manifest has. */
function newFaults(before: ParsedLocalManifest, after: ParsedLocalManifest): readonly string[] {
  const known = new Set(before.warnings.map((warning) => JSON.stringify(warning)));
  const warnings = after.warnings.filter((warning) => !known.has(JSON.stringify(warning)));
  const problems = [...after.problems].filter(
    ([id, message]) => before.problems.get(id) !== message,
  );
  return [...warnings.map(formatFault), ...problems.map(([, message]) => message)];
}

/** A warning says what was made of a value; an edit is refused instead. */
function formatFault({ code, field = "", sound, message }: Warning): string {
  const known = editableField(field, sound !== undefined);
  if (code === "LOOP_ONLY") return `${field} only applies to a loop. Remove it first.`;
  if (code === "TEXT_CLEANED") return `${field} has characters that aren't allowed.`;
  return known === undefined ? message : `${field} must be ${known.form}.`;
}
