import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { ControlSurfaceHost } from "../../../addon/hosts/live/remote-script/control-surface-host.ts";
import { Journals } from "../../../addon/runs/journal.ts";
import type { TrackPlan } from "../../../core/layout/layout.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- the fake Live is of the tests
import { openFakeLive } from "../../addon/hosts/live/remote-script/fake-live.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- the fake Live is of the tests
import { installScript } from "../../addon/hosts/live/remote-script/install-script.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- the fake Live is of the tests
import { CALL_MS, PLACED_SOUNDS } from "../../addon/hosts/live/remote-script/live-costs.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- the fake Live is of the tests
import {
  longestOfScript,
  placingCallbacks,
} from "../../addon/hosts/live/remote-script/fake-live-log.ts";
// oxlint-disable-next-line eslint/no-restricted-imports -- the fake Live is of the tests
import { writeSilence } from "../../addon/hosts/live/remote-script/sparse-wav.ts";
import { timed } from "../bench-result.ts";
import { answerCalls } from "./answer-calls.ts";

const GAINS_DB = [0, -3, -6, -12];

export const placeCalls = {
  /** Places a package of loops in a fake Live whose calls take time; nothing else is in its Set. */
  place: async ({ folder }: { readonly folder: string }) => {
    const {
      scripts,
      folder: meeting,
      sounds,
    } = await installScript(await mkdtemp(join(folder, "live-")));
    await using live = await openFakeLive({
      scriptFolder: scripts,
      habits: { callMs: CALL_MS, realTickMs: 100 },
    });
    await live.run();
    const host = new ControlSurfaceHost({ folders: [meeting] });
    const tracks = Array.from({ length: PLACED_SOUNDS }, (_, index) => loop(index));
    const files = new Map(tracks.map(({ soundId }) => [soundId, join(sounds, `${soundId}.wav`)]));
    for (const path of files.values()) await writeSilence(path);
    const journals = join(meeting, "journals");
    await mkdir(journals, { recursive: true });
    const journal = await new Journals(journals, () => 0).begin("package", {
      runId: "run",
      hostName: "live",
      title: "Bench",
      earlier: [],
    });
    const layout = {
      packageId: "package",
      scene: { name: "Bench" },
      session: { tempoBpm: null, timeSignature: null },
      tracks,
      warnings: [],
    };
    const { signal } = new AbortController();
    const ms = await timed(() =>
      host.place({ layout, files, journal, signal, onProgress: () => undefined }),
    );
    host.close();
    const log = await live.log();
    const callbacks = placingCallbacks(log);
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    return {
      ms,
      callbacks: callbacks.length,
      callbacksMs: sum(callbacks.map(({ wallMs }) => wallMs)),
      liveMs: sum(callbacks.map(({ ownMs }) => ownMs)),
      longestMs: longestOfScript(callbacks),
      violations: log.faults.filter(({ kind }) => kind === "violation").length,
    };
  },
};
export type PlaceCalls = typeof placeCalls;

function loop(index: number): TrackPlan {
  return {
    soundId: `loop-${index}`,
    trackName: `Loop ${index}`,
    clipName: `Loop ${index}`,
    kind: "loop",
    warping: true,
    warpMode: "beats",
    looping: true,
    loopEndBeats: 8,
    tempoBpm: 120,
    colorIndex: index,
    gainDb: GAINS_DB[index % GAINS_DB.length] ?? 0,
    notes: [],
  };
}

answerCalls(placeCalls);
