import { join } from "node:path";
import { panelPlanOf } from "../../core/panel/panel-plan.ts";
import type { HeldSettings, PlacedSound } from "../../core/report/placed-sound.ts";
import { importOutcome } from "../../core/report/import-outcome.ts";
import { type LocalPackage, readLocalPackage } from "../../addon/packages/local-package.ts";
import { readHeaders } from "../../addon/packages/package-plans.ts";
import type { Layout } from "../../core/layout/layout.ts";
import { planLayout } from "../../core/layout/plan-layout.ts";
import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import type { PanelPlan, PanelState, PanelUsablePackage } from "../../core/protocol/panel-api.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures", "packages");

/** A fixture package as a relay would return it, for a canned importer. */
export interface CannedPackage {
  readonly offered: PanelUsablePackage;
  readonly plan: PanelPlan;
  readonly layout: Layout;
  readonly source: LocalPackage;
}

/** A state's name, the importer's state, and what the page receives. */
export interface CannedScene {
  readonly name: string;
  readonly state: PanelState;
  readonly packages: readonly CannedPackage[];
  /** The package whose result a dialog shows. */
  readonly showResultOf?: string;
  /** The state in which the page is opened, where the scene's own comes after a click. */
  readonly before?: PanelState;
  /** The name of a button to click first. */
  readonly click?: string;
}

/** @param name the fixture's folder; the id is `pkg_` and that name */
export async function readCannedPackage(name: string, colorTurn = 0): Promise<CannedPackage> {
  const source = await readLocalPackage(join(FIXTURES, name));
  const { manifest, warnings } = source;
  const sounds = await readHeaders(source, new AbortController().signal);
  const packageId = `pkg_${name}`;
  const layout = planLayout({
    manifest: { ...manifest, package_id: packageId },
    warnings,
    sounds,
    colorTurn,
  });
  const offered: PanelUsablePackage = {
    packageId,
    title: manifest.title,
    appName: manifest.source.app,
    origin: "relay",
    isSaved: false,
    status: "waiting",
    expiresInSeconds: 84_900,
    isTaken: false,
    sounds: manifest.items.map(({ id, name, kind, role, bytes }) => ({
      id,
      name,
      kind,
      role: role ?? null,
      bytes: bytes ?? null,
    })),
    results: null,
    isDismissed: false,
    canUndoDismiss: false,
    color: null,
  };
  return { offered, plan: panelPlanOf({ layout, sounds }), layout, source };
}

/** The result of a sound that the host does not hold as requested. */
export type Otherwise =
  | { readonly error: string }
  | { readonly holds: Partial<HeldSettings>; readonly notes: readonly string[] };

/**
 * The result of an import by a host that holds everything as requested.
 * @param otherwise results of single sounds that differ, by their position
 */
export function cannedOutcome(
  { layout }: Pick<CannedPackage, "layout">,
  otherwise: Readonly<Record<number, Otherwise>> = {},
): ImportOutcome {
  const placed = layout.tracks.flatMap((track, index): readonly PlacedSound[] => {
    if ("error" in track) return [];
    const { soundId } = track;
    return [{ soundId, ...(otherwise[index] ?? { holds: track, notes: [] }) }];
  });
  const nameOf = new Map(layout.tracks.map(({ soundId, clipName }) => [soundId, clipName]));
  const fileNameOf = (soundId: string) => `${nameOf.get(soundId)}.wav`;
  const name = layout.scene.name;
  return importOutcome(layout, placed, { path: `/sounds/${name}`, name, fileNameOf });
}
