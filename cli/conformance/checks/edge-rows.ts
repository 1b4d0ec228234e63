import type { LIMITS } from "../limits.ts";
import type { Row } from "./manifest-repairs.ts";

/** The number that limits a field, and where the public specification says so. */
export const LIMIT_OF: Readonly<
  Record<string, { readonly limit: keyof typeof LIMITS; readonly spec: string }>
> = {
  title: { limit: "titleCharacters", spec: "2.3 title: at most 60 characters" },
  "source.app": { limit: "nameCharacters", spec: "2.3 source.app: at most 40" },
  "source.app_version": { limit: "nameCharacters", spec: "2.3 source.app_version: at most 40" },
  "source.platform": { limit: "nameCharacters", spec: "2.3 source.platform: at most 40" },
  "tempo.bpm": { limit: "bpm", spec: "2.3 tempo.bpm: 20 to 999" },
  package_id: { limit: "idCharacters", spec: "2.3 package_id: 1 to 100 characters" },
  name: { limit: "nameCharacters", spec: "2.4 name: at most 40 characters" },
  bpm: { limit: "bpm", spec: "2.4 bpm: 20 to 999" },
  length_beats: { limit: "lengthBeats", spec: "2.4 length_beats: above 0, at most 4096" },
  gain_db: { limit: "gainDb", spec: "2.4 gain_db: kept between -70 and +24" },
  id: { limit: "idCharacters", spec: "2.4 id: 1 to 100 characters" },
  file: { limit: "fileCharacters", spec: "2.4 file: at most 100 characters in all" },
};

const BY_POSITION = (position: number): string => String(position);

export function x(length: number, character = "x"): string {
  return character.repeat(length);
}

export function kept(id: string, field: string, sent: unknown): Row {
  return { id, field, sent, kept: sent, ...specOf(field) };
}

export function cut(id: string, field: string, sent: string, to: string): Row {
  return { id, field, code: "TEXT_CUT", sent, kept: to, ...specOf(field) };
}

export function ignored(id: string, field: string, sent: unknown): Row {
  return { id, field, code: "VALUE_IGNORED", sent, ...specOf(field) };
}

export function clamped(id: string, field: string, sent: number, to: number): Row {
  return { id, field, code: "VALUE_CLAMPED", sent, kept: to, ...specOf(field) };
}

/** An id that is replaced by the sound's position (rule M7). */
export function replaced(id: string, sent: string): Row {
  return { id, rule: "M7", field: "id", code: "ID_REPLACED", sent, kept: BY_POSITION };
}

/** A text of no characters counts as missing, without a warning (rule M5). */
export function blank(id: string, field: string, fallback?: string): Row {
  return { id, field, sent: "", kept: fallback };
}

/** Lengths are counted in code points (rule M6), which the public specification leaves open. */
export function astral(id: string, field: string, sent: string): Row {
  return { id, rule: "M6", field, sent, kept: sent };
}

export function astralCut(id: string, field: string, character: string, length: number): Row {
  const sent = character.repeat(length + 1);
  return { id, rule: "M6", field, code: "TEXT_CUT", sent, kept: character.repeat(length) };
}

function specOf(field: string): Pick<Row, "spec"> {
  const { spec } = LIMIT_OF[field] ?? {};
  return spec === undefined ? {} : { spec };
}
