import { FIELDS, type Field, type GroupName } from "../core/manifest/fields.ts";
import { WARNINGS } from "../core/manifest/warnings.ts";
import { REFUSALS } from "../core/protocol/refusals.ts";

const TABLE = /(<!-- table: (\w+) -->\n)[^]*?(<!-- end -->)/g;

/**
 * A Markdown page with its tables regenerated. A table is between `<!-- table: NAME -->` and `<!-- end -->`;
 * NAME is a group of fields, `warnings` or `refusals`.
 */
export function fillTables(page: string): string {
  return page.replaceAll(
    TABLE,
    (_, start: string, name: string, end: string) => `${start}\n${formatTable(name)}\n\n${end}`,
  );
}

function formatTable(name: string): string {
  if (name === "warnings") return table(["Code", "Message"], Object.entries(WARNINGS).map(codeRow));
  if (name === "refusals") return table(["Code", "Error"], refusalRows());
  if (!isGroup(name)) throw new Error(`There is no table ${name}.`);
  return table(
    ["Property", "Value", "Default", "Invalid value", "Purpose"],
    Object.entries<Field>(FIELDS[name]).map(([property, field]) => [
      `\`${property}\``,
      field.form,
      formatAbsence(field),
      formatRemedy(field),
      field.meaning,
    ]),
  );
}

function isGroup(name: string): name is GroupName {
  return Object.hasOwn(FIELDS, name);
}

function refusalRows(): string[][] {
  const codes = Object.values<Readonly<Record<string, Field>>>(FIELDS)
    .flatMap((group) => Object.values(group))
    .flatMap(({ remedy }) => (remedy.kind === "refuse" ? remedy.codes : []));
  return ["MANIFEST_NOT_OBJECT" as const, ...codes].map((code) =>
    codeRow([code, REFUSALS[code].sentence]),
  );
}

function codeRow([code, sentence]: readonly [string, string]): string[] {
  return [`\`${code}\``, sentence];
}

function formatAbsence({ isRequired, fallback }: Field): string {
  return isRequired ? "required" : (fallback ?? "–");
}

function formatRemedy({ remedy, isOnlyForLoops }: Field): string {
  switch (remedy.kind) {
    case "refuse":
      return `refused: ${remedy.codes.map((code) => `\`${code}\``).join(", ")}`;
    case "drop":
      return `ignored: \`VALUE_IGNORED\`${isOnlyForLoops ? "; on a one-shot always: `LOOP_ONLY`" : ""}`;
    case "clamp":
      return "a number is limited to the range: `VALUE_CLAMPED`; anything else is ignored: `VALUE_IGNORED`";
    case "clean":
      return "a text is cleaned: `TEXT_CLEANED`, or cut: `TEXT_CUT`; anything else is ignored: `VALUE_IGNORED`";
    case "replace":
      return "replaced: `ID_REPLACED`; when taken: `ID_TAKEN`";
    case "ignore":
      return "always ignored: `MIDI_IGNORED`";
  }
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
