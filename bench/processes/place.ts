import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { ControlSurfaceHost } from "../../addon/hosts/live/remote-script/control-surface-host.ts";
import { Journals } from "../../addon/runs/journal.ts";
import type { TrackPlan } from "../../core/layout/layout.ts";
import { openFakeLive } from "../../test/remote-script/fake-live.ts";
import { installScript } from "../../test/remote-script/install-script.ts";
import { CALL_MS, PLACED_SOUNDS } from "../../test/remote-script/live-costs.ts";
import { longestOfScript, placingCallbacks } from "../../test/remote-script/placing-callbacks.ts";
import { writeSilence } from "../../test/remote-script/sparse-wav.ts";
import { timed } from "../rounds.ts";
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
    const host = new ControlSurfaceHost({ folders: [meeting], soundsFolder: sounds });
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
