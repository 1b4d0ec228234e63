import type { PanelState } from "../../core/protocol/panel-api.ts";
import type { CannedPackage } from "./canned-package.ts";

/** Adds more packages than a list without a search has, the given one first. */
export function withMany(state: PanelState, { offered }: CannedPackage): PanelState {
  const others = Array.from({ length: 11 }, (_, index) =>
    Object.assign({}, offered, { packageId: `pkg_many_${index}`, title: `Kit ${11 - index}` }),
  );
  return { ...state, packages: [offered, ...others] };
}

/** Queues the import of all of them. */
export function importingMany(state: PanelState, first: CannedPackage): PanelState {
  const many = withMany(state, first);
  const runs = many.packages.map(({ packageId, title }) => {
    return { packageId, title, isOfAll: true, progress: null, sounds: {} };
  });
  return { ...many, runs };
}
