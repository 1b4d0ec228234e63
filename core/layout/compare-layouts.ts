import type { LayoutJson } from "./layout-json.ts";

/** One way in which a layout is not as a person accepted it. */
export interface LayoutDifference {
  /** The sound's id; null for what concerns the package as a whole. */
  readonly sound: string | null;
  /**
   * A key of the layout's JSON, such as `warp_mode`, `scene` or `warnings`; `presence` for a sound that only one of
   * the two has; `order` for sounds that have changed places.
   */
  readonly setting: string;
  /** As the golden has it; undefined where it has none. */
  readonly accepted: unknown;
  /** As it is now; undefined where it is no more. */
  readonly now: unknown;
}

/** Every way in which a layout differs from the accepted one, in the order of the layout; empty when it is the same. */
export function compareLayouts(accepted: LayoutJson, now: LayoutJson): readonly LayoutDifference[] {
  const names = [accepted.scene.name, now.scene.name];
  if (names[0] === names[1]) return [];
  return [{ sound: null, setting: "scene", accepted: names[0], now: names[1] }];
}
