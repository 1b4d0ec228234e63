import { isJsonObject, type JsonObject } from "../../../../core/text/json-object.ts";
import { type Html, html, NONE } from "../../../../core/text/html.ts";
import { words } from "./contract-text.ts";

/** A schema's members, each with type, whether it is required, and meaning. Named schemas are links. */
export function renderSchema(schema: JsonObject): Html {
  const entries = isJsonObject(schema["items"]) ? schema["items"] : undefined;
  const members = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const choices = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
  if (choices.length > 0) return html`${choices.map((choice) => renderSchema(choice))}`;
  if (entries !== undefined && entries["$ref"] === undefined) return renderSchema(entries);
  if (Object.keys(members).length === 0) return NONE;
  const required = namesIn(schema["required"]);
  const rows = Object.entries(members).map(([name, member]) =>
    isJsonObject(member) ? renderMember(name, member, required.includes(name)) : NONE,
  );
  return html`<dl class="members">${rows}</dl>`;
}

function renderMember(name: string, member: JsonObject, isRequired: boolean): Html {
  const meaning = member["description"];
  return html`<dt>
      <code>${name}</code> <span class="type">${typeText(member)}</span>${
        isRequired ? html` <span class="need">required</span>` : NONE
      }
    </dt>
    <dd>
      ${typeof meaning === "string" ? html`<p>${words(meaning)}</p>` : NONE}${renderSchema(member)}
    </dd>`;
}

/** A short description of the type of value a schema accepts. */
export function typeText(schema: JsonObject): Html {
  const { $ref, const: only, enum: some, type, items, additionalProperties: members } = schema;
  if (typeof $ref === "string") return linkTo($ref);
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`;
  if (Array.isArray(some)) {
    return joined(
      some.map((one) => html`<code>${JSON.stringify(one)}</code>`),
      " or ",
    );
  }
  const choices = listOf(schema["anyOf"]);
  if (choices.length > 0) return joined(choices.map(typeText), " or ");
  if (isJsonObject(items)) return html`list of ${typeText(items)}${rangeText(schema)}`;
  if (isJsonObject(members)) return html`${typeText(members)} by name`;
  const name = Array.isArray(type) ? type.join(" or ") : type;
  return html`${typeof name === "string" ? name : "any value"}${rangeText(schema)}`;
}

const BOUNDS = [
  ["minimum", "from"],
  ["exclusiveMinimum", "above"],
  ["maximum", "up to"],
  ["minLength", "at least"],
  ["maxLength", "at most"],
  ["minItems", "at least"],
  ["maxItems", "at most"],
] as const;

function rangeText(schema: JsonObject): Html {
  const bounds = BOUNDS.flatMap(([keyword, text]) => {
    const bound = schema[keyword];
    const unit = keyword.endsWith("Length") ? " characters" : "";
    if (bound === 1 && keyword.startsWith("min") && keyword !== "minimum")
      return [html`, not empty`];
    return typeof bound === "number" ? [html`, ${text} ${bound}${unit}`] : [];
  });
  const { pattern } = schema;
  return html`${bounds}${typeof pattern === "string" ? html`, <code>${pattern}</code>` : NONE}`;
}

function linkTo(reference: string): Html {
  const name = reference.split("/").at(-1) ?? "";
  return html`<a href="#schema-${name}">${name}</a>`;
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : html`${between}${part}`))}`;
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((entry: unknown) => isJsonObject(entry)) : [];
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
