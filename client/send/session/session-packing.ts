import {
  type Packing,
  type PackagePlan,
  needsChoice,
  planPackages,
  sizeOf,
  titleOfPart,
} from "../../../core/guess/split-package.ts";
import { MAX_PACKAGE_BYTES, MAX_PACKAGES_AT_ONCE, MAX_SOUNDS } from "../../../core/limits.ts";
import type { Translate } from "../../../core/messages/translate.ts";
import { formatBytes } from "../../../core/text/format-number.ts";
import type { PackageDraft } from "../package-draft.ts";
import type { SessionSound } from "./session-sound.ts";
import type { Series, SessionView } from "./session-view.ts";

/** Most sounds of a session, and most bytes: as much as can be sent at once. */
export const MAX_SESSION_SOUNDS = MAX_SOUNDS * MAX_PACKAGES_AT_ONCE;
export const MAX_SESSION_BYTES = MAX_PACKAGE_BYTES * MAX_PACKAGES_AT_ONCE;

type PackedView = Pick<SessionView, "sounds" | "groups" | "packAnswer" | "series">;

/** The ways in which a session's sounds can be sent, and the chosen one. */
export interface SessionPacking {
  readonly plan: PackagePlan;
  /** null while a person must choose, or can't because it is too much. */
  readonly chosen: Packing | null;
}

const plans = new WeakMap<readonly SessionSound[], PackagePlan>();

/** Plans a session's packages. An answer counts only for as many packages as the person has read. */
export function packingOf({ sounds, groups, packAnswer }: PackedView): SessionPacking {
  const plan = plans.get(sounds) ?? planSounds(sounds, groups);
  plans.set(sounds, plan);
  if (!needsChoice(plan)) return { plan, chosen: plan.asTheyAre };
  const chosen = plan.choices.find(
    ({ as16, packages }) => as16 === packAnswer?.as16 && packages.length === packAnswer.count,
  );
  return { plan, chosen: chosen ?? null };
}

function planSounds(sounds: readonly SessionSound[], groups: SessionView["groups"]): PackagePlan {
  const positions = new Map(sounds.map(({ key }, position) => [key, position]));
  const recordings = groups.map(({ members }) => ({
    members: members.flatMap((key) => positions.get(key) ?? []),
  }));
  const sizes = sounds.map(({ header, source }) => sizeOf(header, source.size));
  return planPackages(sizes, recordings);
}

/** True if a person has to choose, or can still change the answer: until the first of several packages is sent. */
export function asksPacking(view: PackedView): boolean {
  return (view.series?.sent ?? 0) === 0 && needsChoice(packingOf(view).plan);
}

/** True while a person must choose before sending. */
export function isPackingOpen(view: PackedView): boolean {
  return asksPacking(view) && packingOf(view).chosen === null;
}

/** Formats the question: what there is, and what one package holds. */
export function formatPackQuestion(t: Translate, view: PackedView): string {
  const { plan } = packingOf(view);
  const { length: count } = view.sounds;
  const isTooMany = count > MAX_SOUNDS;
  const amount = isTooMany ? t("clips.count", { count }) : formatBytes(t, plan.asTheyAre.bytes);
  const limit = isTooMany ? String(MAX_SOUNDS) : formatBytes(t, MAX_PACKAGE_BYTES);
  return plan.choices.length === 0
    ? t("page.tooMuch", { amount, max: MAX_PACKAGES_AT_ONCE })
    : t("page.askPack", { amount, limit });
}

/** Formats a choice, as the text of a button. */
export function formatPacking(t: Translate, { as16, bytes, packages }: Packing): string {
  const scenes = t("page.scenes", { count: packages.length });
  return as16 ? t("page.as16", { size: formatBytes(t, bytes), scenes }) : scenes;
}

/** Decides the packages of a Send; null while nobody has chosen. Those that are left of an earlier one stay the same. */
export function seriesOf(
  view: PackedView,
  { title, bpm }: Pick<PackageDraft, "bpm"> & { readonly title: string },
): Series | null {
  if (view.series !== null) return view.series;
  const { chosen } = packingOf(view);
  if (chosen === null) return null;
  const parts = chosen.packages.map((positions) =>
    positions.flatMap((position) => view.sounds[position]?.key ?? []),
  );
  return { title, bpm, as16: chosen.as16, sent: 0, count: parts.length, parts };
}

/** Returns the title of the next package of a series, or of a later one. */
export function titleIn({ title, sent, count }: Series, later = 0): string {
  return titleOfPart(title, sent + later + 1, count);
}
