import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = readFileSync(join(import.meta.dirname, "../../docs/use/api.md"), "utf8");

export type Form = "curl" | "Node" | "Browser";

/** One call of the page. */
export interface Section {
  /** Such as `POST /pair/claim`; empty before the first call. */
  readonly call: string;
  readonly code: ReadonlyMap<Form, string>;
  /** The answer that the page shows. */
  readonly shown: unknown;
}

/** The examples of `docs/use/api.md`, in its order. */
export function readSections(): Section[] {
  return PAGE.split(/^## /m)
    .map(readSection)
    .filter(({ code }) => code.size > 0);
}

function readSection(text: string): Section {
  const code = new Map<Form, string>();
  for (const [, forms = "", block = ""] of text.matchAll(
    /^\*\*([^*\n]+)\*\*\n\n```\w+\n(.*?)^```$/gms,
  )) {
    for (const form of formsOf(forms)) code.set(form, (code.get(form) ?? "") + block);
  }
  const [, shown = "null"] = /^```json\n(.*?)^```$/ms.exec(text) ?? [];
  return { call: /^[^\n`]*`([^`\n]+)`/.exec(text)?.[1] ?? "", code, shown: JSON.parse(shown) };
}

function formsOf(heading: string): Form[] {
  if (heading === "Node and browser") return ["Node", "Browser"];
  if (heading === "curl" || heading === "Node" || heading === "Browser") return [heading];
  throw new Error(`docs/use/api.md has a form that no test runs: ${heading}`);
}

/** The examples of one form as one program, with the relay and the code of a test in them. */
export function programOf(
  sections: readonly Section[],
  form: Form,
  { url, code }: { readonly url: string; readonly code: string },
): string {
  const blocks = sections.map((section) => section.code.get(form) ?? "");
  return blocks.join("\n").replaceAll("http://127.0.0.1:4700", url).replaceAll("K7M Q2X", code);
}

/** A value with the kinds of its parts in place of the parts. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
}
