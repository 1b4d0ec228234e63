import { editableField } from "../../../core/manifest/editable-fields.ts";
import { DEFAULT_APP, DEFAULT_TITLE } from "../../../core/manifest/fields.ts";
import { SOUND_KINDS, SOUND_ROLES } from "../../../core/manifest/manifest.ts";
import { WARP_MODE_NAMES } from "../../../core/layout/warp-mode.ts";
import { formatRole } from "../../../core/text/format-role.ts";
import type { ManifestFields } from "../../../core/protocol/preview-api.ts";
import { t } from "../../kit/page-language.ts";

/** A field of the form, by its name in the manifest. */
export interface FieldForm {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "number" | "time signature" | "color" | "choice";
  readonly isOnlyForLoops: boolean;
  /** Values of a choice, each with its text. */
  readonly choices: readonly (readonly [value: string, words: string])[];
  /** The field's meaning, in a sentence or two. */
  readonly meaning: string;
  /** The default, in a word or two. */
  readonly fallback: string;
}

/** Each field's label, kind and default. */
const FORMS: Readonly<Record<string, readonly [string, FieldForm["kind"], string]>> = {
  title: ["Title", "text", DEFAULT_TITLE],
  "source.app": ["App", "text", DEFAULT_APP],
  "tempo.bpm": ["Tempo (BPM)", "number", "none"],
  "tempo.time_signature": ["Time signature", "time signature", "none"],
  name: ["Name", "text", "by position"],
  kind: ["Kind", "choice", "One-shot"],
  role: ["Role", "choice", "none"],
  bpm: ["Own tempo (BPM)", "number", "the package’s"],
  length_beats: ["Length (beats)", "number", "from the file"],
  warp_mode: ["Warp mode", "choice", "by role"],
  color: ["Color", "color", "automatic"],
  gain_db: ["Gain (dB)", "number", "0"],
};

const CHOICES: Readonly<Record<string, FieldForm["choices"]>> = {
  kind: SOUND_KINDS.map((kind) => [kind, kind === "loop" ? "Loop" : "One-shot"]),
  role: SOUND_ROLES.map((role) => [role, formatRole(t, role)]),
  warp_mode: Object.entries(WARP_MODE_NAMES),
};

/** Returns the form of an editable field. */
export function fieldForm(name: string, isOfSound: boolean): FieldForm {
  const field = editableField(name, isOfSound);
  const [label, kind, fallback] = FORMS[name] ?? [name, "text", "none"];
  return {
    name,
    label,
    kind,
    isOnlyForLoops: field?.isOnlyForLoops === true,
    choices: CHOICES[name] ?? [],
    meaning: plain(field?.meaning ?? ""),
    fallback,
  };
}

/** Formats a field's value for editing; empty without one. Invalid values are shown unchanged. */
export function formatField({ kind }: FieldForm, value: unknown): string {
  if (value === undefined) return "";
  if (kind === "time signature" && Array.isArray(value)) return value.join("/");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Reads a typed text as the manifest's value; null if it is empty. The server refuses invalid values. */
export function readField({ kind }: FieldForm, typed: string): unknown {
  const text = typed.trim();
  if (text === "") return null;
  if (kind === "number") return readNumber(text);
  if (kind === "time signature") {
    const parts = text.split("/").map(readNumber);
    return parts.every((part) => typeof part === "number") ? parts : text;
  }
  return text;
}

/** Returns the value of a field that several sounds share, or `isMixed`. */
export function sharedValue(
  all: readonly ManifestFields[],
  form: FieldForm,
): { readonly text: string; readonly isMixed: boolean } {
  const texts = new Set(all.map((fields) => formatField(form, fields[form.name])));
  const [text = ""] = texts;
  return texts.size > 1 ? { text: "", isMixed: true } : { text, isMixed: false };
}

/** Reads a number typed with a point or a comma; returns other text unchanged. */
function readNumber(text: string): unknown {
  const number = Number(/^[+-]?\d+,\d+$/.test(text) ? text.replace(",", ".") : text);
  return text.trim() === "" || !Number.isFinite(number) ? text : number;
}

/** Removes the Markdown of the table's sentences. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

/** Checks whether a text is a color in the manifest's notation. */
export function isHexColor(text: string): boolean {
  return /^#?[0-9a-f]{6}$/i.test(text);
}
