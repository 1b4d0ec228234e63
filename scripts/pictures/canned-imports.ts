import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { SAVED_AS_FILES } from "../../core/protocol/package-status.ts";
import type { HeldSettings } from "../../core/report/placed-sound.ts";
import type {
  PanelHost,
  PanelRunSounds,
  PanelState,
  PanelUsablePackage,
} from "../../core/protocol/panel-api.ts";
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

function ended(one: CannedPackage, minutesAgo: number, outcome: ImportOutcome) {
  return finished(one, minutesAgo, { outcome: { ...outcome, folder: one.offered.title } });
}

/** Returns the state while one package is fetched, and another waits. */
export function importing(paired: PanelState, kit: CannedPackage, bass: CannedPackage): PanelState {
  return {
    ...paired,
    packages: [bass.offered, kit.offered],
    runs: [
      {
        packageId: bass.offered.packageId,
        title: bass.offered.title,
        progress: { phase: "fetching", doneBytes: 31_000_000, totalBytes: 48_200_000 },
        sounds: soundsOf(bass),
      },
      { packageId: kit.offered.packageId, title: kit.offered.title, progress: null, sounds: {} },
    ],
  };
}

/** One sound is there, one on its way, and the others wait. */
function soundsOf({ offered }: CannedPackage): PanelRunSounds {
  const states = [{ state: "fetched" }, { state: "fetching", progress: 0.6 }] as const;
  return Object.fromEntries(
    offered.sounds.map(({ id }, index) => [id, states[index] ?? { state: "waiting" }]),
  );
}

/** Returns the state after an import in which settings differ and a sound failed. */
export function partial(paired: PanelState, bass: CannedPackage, kit: CannedPackage): PanelState {
  const bassOutcome = cannedOutcome(bass, {
    1: { holds: held(bass, 1, { tempoBpm: 62 }), notes: [] },
    2: {
      holds: held(bass, 2, {}),
      notes: [
        "A gain of -20 dB is applied in a copy of its file, because a track's volume goes from -18 to +6 dB.",
      ],
    },
    3: { error: "Live couldn't make the clip Reese Roller." },
  });
  return {
    ...paired,
    packages: [imported(bass, "partial"), imported(kit, "imported")],
    finished: [
      finished(bass, 2, { outcome: bassOutcome }),
      finished(kit, 95, { outcome: cannedOutcome(kit) }),
    ],
  };
}

type Result = PanelState["finished"][number]["result"];

/** Builds a finished run of the package. */
export function finished({ offered }: CannedPackage, minutesAgo: number, result: Result) {
  return {
    packageId: offered.packageId,
    title: offered.title,
    at: minutesAgoAt(minutesAgo),
    result,
  };
}

function imported({ offered }: CannedPackage, status: "imported" | "partial"): PanelUsablePackage {
  return { ...offered, status };
}

/** Builds the state of a host that has everything as requested except these settings. */
function held(
  { layout }: CannedPackage,
  index: number,
  otherwise: Partial<HeldSettings>,
): Partial<HeldSettings> {
  return { ...layout.tracks[index], ...otherwise };
}
