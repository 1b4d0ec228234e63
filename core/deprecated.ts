// Renamed exports of 0.1.0, kept until the next major version.

import type { Layout } from "./layout/layout.ts";
import { planLayout as plan, type ReadPackage } from "./layout/plan-layout.ts";

export {
  /** @deprecated Use `COLOR_ROTATION`. */
  COLOR_ROTATION as COLOUR_ROTATION,
  /** @deprecated Use `colorOfTurn`. */
  colorOfTurn as colourOfTurn,
} from "./layout/color-rotation.ts";
/** @deprecated Use `nearestColor`. */
export { nearestColor as nearestColour } from "./layout/nearest-color.ts";
/** @deprecated Use `formatColor`. */
export { formatColor as printColour } from "./layout/palette.ts";
/** @deprecated Use `needsColorTurn`. */
export { needsColorTurn as needsColourTurn } from "./layout/plan-layout.ts";
/** @deprecated Use `formatLayout`. */
export { formatLayout as printLayout } from "./layout/format-layout.ts";
/** @deprecated Use `formatPairingCode`. */
export { formatPairingCode as printPairingCode } from "./protocol/pairing-code.ts";
/** @deprecated Use `ImportRequest`. */
export type { ImportRequest as ImportWish } from "./protocol/panel-api.ts";

/** @deprecated Use `colorTurn`. */
export type ReadPackageWithColourTurn = Omit<ReadPackage, "colorTurn"> & {
  readonly colourTurn: ReadPackage["colorTurn"];
};

/**
 * `planLayout` that also accepts `colorTurn` under its old name `colourTurn`, for which null counts as the
 * first turn.
 */
export function planLayout(
  read: (ReadPackage & { readonly colorTurn: number }) | ReadPackageWithColourTurn,
): Layout;
export function planLayout(read: ReadPackage | ReadPackageWithColourTurn): Layout<number | null>;
export function planLayout(read: ReadPackage | ReadPackageWithColourTurn): Layout<number | null> {
  return plan("colorTurn" in read ? read : { ...read, colorTurn: read.colourTurn ?? 0 });
}
