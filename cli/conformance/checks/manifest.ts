import { assert, assertSame, listOf, partOf, show } from "../assert.ts";
import type { Check } from "../check.ts";
import { fileOf, GROUPS, outcomeOf, type Repaired, type SoundRow } from "./manifest-packages.ts";
import type { Row } from "./manifest-repairs.ts";

/** Every field of the manifest with values that need repair, and valid ones, also at the edges. */
export const REPAIR_CHECKS: readonly Check[] = GROUPS.flatMap(({ manifest, sounds }, at) =>
  manifest
    .flatMap((row) => checksOf(row, at, judgeManifestRow))
    .concat(sounds.flatMap((row) => checksOf(row, at, judgeSoundRow))),
);

/** A check of what becomes of the value, and for a valid one another that it has no warning (rule M5). */
function checksOf<Kind extends Row>(
  row: Kind,
  at: number,
  judge: (row: Kind, outcome: Repaired) => void,
): readonly Check[] {
  const { id, rule = "M4", spec, field, sent, code } = row;
  const value =
    typeof sent === "string" && sent.length > 20
      ? `of ${Array.from(sent).length} characters`
      : JSON.stringify(sent);
  const cleaned: Check = {
    id: `manifest-${id}-text`,
    rule: "M6",
    title: `${field} ${value} is cleaned and cut as texts are`,
    run: async (kit) => judge({ ...row, code: undefined }, await outcomeOf(kit, at, row)),
  };
  const becomes = (outcome: string): Check => ({
    id: `manifest-${id}`,
    rule,
    title: `${field} ${value} ${outcome}`,
    ...(spec !== undefined && { spec }),
    run: async (kit) => judge(row, await outcomeOf(kit, at, row)),
  });
  if (code !== undefined) {
    const repaired = becomes(`is repaired: ${code}`);
    return code.startsWith("TEXT_") ? [repaired, cleaned] : [repaired];
  }
  const unwarned: Check = {
    id: `manifest-${id}-unwarned`,
    rule: "M5",
    title: `${field} ${value} has no warning`,
    run: async (kit) => judgeWarnings(row, await outcomeOf(kit, at, row)),
  };
  return [becomes("goes through"), unwarned];
}

function judgeManifestRow(row: Row, outcome: Repaired): void {
  const { field, kept, code } = row;
  if (!judgeAnnounced(row, outcome)) return;
  if (code !== undefined) judgeWarnings(row, outcome);
  if (field === "package_id") return;
  assertSame(partOf(outcome.manifest, ...field.split(".")), kept, `The importer's ${field}`);
}

function judgeSoundRow(row: SoundRow, outcome: Repaired): void {
  const { field, code } = row;
  if (!judgeAnnounced(row, outcome)) return;
  if (code !== undefined) judgeWarnings(row, outcome);
  if (field === "kind") return;
  const { at, kept } = soundIn(row, outcome);
  const items = listOf(outcome.manifest, "items");
  const sound = items.find((one) => partOf(one, "file") === fileOf(row, at));
  assertSame(partOf(sound, field), kept, `The importer's ${field}`);
}

/** The sound's place in its package, and the value that the importer gets; -1 for a row of the manifest. */
function soundIn(row: Row, { sounds }: Repaired) {
  const at = sounds.findIndex(({ id }) => id === row.id);
  const kept: unknown = typeof row.kept === "function" ? row.kept(at + 1) : row.kept;
  return { at, kept };
}

/**
 * Judges that the package goes through. The public specification shows no form of warnings, and leaves open whether a cut
 * text is worth one.
 * @returns whether there is an importer to ask for the rest
 */
function judgeAnnounced({ field, sent, code }: Row, { announced }: Repaired): boolean {
  const error = show(partOf(announced.json, "error"));
  const { status } = announced;
  assert(status < 300, `${field} ${show(sent)} is refused: ${status} ${error}; expected 201.`);
  if (announced.contract === "whole") return true;
  const isDue = code === "VALUE_IGNORED" || code === "LOOP_ONLY" || code === "MIDI_IGNORED";
  const warnings = listOf(announced.json, "warnings");
  assert(!isDue || warnings.length > 0, `${field} ${show(sent)} is not in warnings.`);
  return false;
}

/** Judges that the value has its warning, or none. */
function judgeWarnings(row: Row, outcome: Repaired): void {
  judgeAnnounced(row, outcome);
  const { id, field, code } = row;
  const { at, kept } = soundIn(row, outcome);
  const sound = field === "id" ? String(kept) : id;
  const codes = listOf(outcome.announced.json, "warnings")
    .filter((one) => partOf(one, "field") === field)
    .filter((one) => partOf(one, "sound") === (at < 0 ? undefined : sound))
    .map((one) => partOf(one, "code"));
  assertSame(codes, code === undefined ? [] : [code], `The list of warnings on ${field}`);
}
