import { FIELDS, type Field, type GroupName } from "../core/manifest/fields.ts";
import { WARNINGS } from "../core/manifest/warnings.ts";

const TABLE = /(<!-- table: (\w+) -->\n)[^]*?(<!-- end -->)/g;

/**
 * A Markdown page with its tables regenerated. A table is between `<!-- table: NAME -->` and `<!-- end -->`.
 * @param format writes the table of that name; by default that of a group of fields, or `warnings`
 */
export function fillTables(page: string, format = formatTable): string {
  return page.replaceAll(
    TABLE,
    (_, start: string, name: string, end: string) => `${start}\n${format(name)}\n\n${end}`,
  );
}

function formatTable(name: string): string {
  if (name === "warnings") return table(["Code", "Message"], Object.entries(WARNINGS).map(codeRow));
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
      return isOnlyForLoops ? "ignored, also on a one-shot" : "ignored";
    case "clamp":
      return "limited to the range";
    case "clean":
      return "cleaned or cut";
    case "replace":
      return "replaced, also if taken";
    case "ignore":
      return "always ignored";
  }
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}
