import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { SAVED_AS_FILES } from "../../core/protocol/package-status.ts";
import type { PanelHost, PanelState, PanelUsablePackage } from "../../core/protocol/panel-api.ts";
import { minutesAgoAt } from "./canned-app.ts";
import { LIVE_READY, LIVE_UNSET } from "./canned-live.ts";
import { type CannedPackage, cannedOutcome, type CannedScene } from "./canned-package.ts";

// The panel before and after imports: placed in Live, placed in part, and only saved.

/** The reason of the sounds for which a Set of Live Lite has no track. */
const NO_TRACK = "Live Lite takes 8 tracks in a Set. This sound is in the sounds folder.";

interface CannedImports {
  /** A connected computer with apps. */
  readonly paired: PanelState;
  readonly kit: CannedPackage;
  readonly bass: CannedPackage;
  readonly bus: CannedPackage;
}

/** Returns the scenes of packages with and without Live, each at the package that it is about. */
export function importScenes({ paired, kit, bass, bus }: CannedImports): readonly CannedScene[] {
  const placing: PanelHost = {
    ...paired.host,
    label: "Live 12.1.5 Standard",
    settings: [],
    can: { reusesTracks: true },
  };
  const lite: PanelHost = { ...placing, label: "Live 12.1.5 Lite", room: { tracks: 6 } };
  const saving: PanelHost = {
    ...placing,
    name: "folder",
    label: "Sounds folder",
    tempoBpm: null,
    instead:
      "Live doesn't answer. Open Live and choose Soundferry under Settings → Link, Tempo & MIDI.",
    can: { reusesTracks: false },
  };
  const here: PanelState = { ...paired, canReveal: "finder" };
  const scene = (name: string, state: Partial<PanelState>, shown?: CannedPackage): CannedScene => ({
    name,
    state: { ...here, ...state },
    packages: [kit, bass, bus],
    ...(shown !== undefined && { showResultOf: shown.offered.packageId }),
  });
  const elsewhere = { ...ended(kit, 1, cannedOutcome(kit)), otherHost: "dawproject" };
  return [
    scene("script-missing", { host: saving, live: LIVE_UNSET }),
    scene("no-live", { host: { ...saving, instead: null }, packages: [bass.offered, kit.offered] }),
    scene(
      "saved",
      {
        host: saving,
        live: LIVE_UNSET,
        packages: [bass.offered, saved(kit)],
        finished: [ended(kit, 2, savedOutcome(kit))],
      },
      kit,
    ),
    scene(
      "saved-in-part",
      {
        host: saving,
        live: { ...LIVE_UNSET, script: "current" },
        soundsFolder: {
          path: "~/Music/Soundferry",
          isInLibrary: false,
          because: "cloud",
          fixedBecause: null,
        },
        packages: [saved(bass, "partial")],
        finished: [ended(bass, 2, savedOutcome(bass, 2))],
      },
      bass,
    ),
    scene(
      "saved-live-ready",
      {
        host: placing,
        live: LIVE_READY,
        packages: [saved(kit)],
        finished: [ended(kit, 2, savedOutcome(kit))],
      },
      kit,
    ),
    scene("room", { host: lite, live: LIVE_READY, packages: [bus.offered] }),
    scene(
      "rest",
      {
        host: lite,
        live: LIVE_READY,
        packages: [saved(bus, "partial")],
        finished: [ended(bus, 1, restOutcome(bus, 6))],
      },
      bus,
    ),
    scene(
      "complete",
      {
        host: placing,
        live: LIVE_READY,
        packages: [saved(kit), bass.offered],
        finished: [ended(kit, 95, cannedOutcome(kit))],
      },
      kit,
    ),
    scene(
      "another-daw",
      {
        host: placing,
        live: LIVE_READY,
        packages: [saved(kit)],
        finished: [elsewhere, ended(kit, 95, cannedOutcome(kit))],
      },
      kit,
    ),
  ];
}

function saved(
  { offered }: CannedPackage,
  status: PanelUsablePackage["status"] = "imported",
): PanelUsablePackage {
  return { ...offered, status, isSaved: true };
}

/** @param without number of the sounds, from the first, that couldn't be saved */
function savedOutcome(one: CannedPackage, without = 0): ImportOutcome {
  const results = one.layout.tracks.map((_, index) =>
    index < without
      ? { error: "Its file was lost at the relay." }
      : { holds: {}, notes: [SAVED_AS_FILES] },
  );
  return cannedOutcome(one, Object.fromEntries(results.entries()));
}

/** @param room number of the sounds, from the first, for which there was a track */
function restOutcome(one: CannedPackage, room: number): ImportOutcome {
  const outcome = cannedOutcome(one);
  const tracks = outcome.tracks.map((track, index) =>
    index < room ? track : { ...track, status: "skipped" as const, error: NO_TRACK },
  );
  return { ...outcome, status: "partial", tracks };
}

function ended({ offered }: CannedPackage, minutesAgo: number, outcome: ImportOutcome) {
  const { packageId, title } = offered;
  return {
    packageId,
    title,
    at: minutesAgoAt(minutesAgo),
    result: { outcome: { ...outcome, folder: title } },
  };
}
