import { performance } from "node:perf_hooks";
import type { LiveFacts } from "../../core/protocol/live-report.ts";
import type { SurfaceClient } from "../hosts/live/remote-script/control-surface-client.ts";
import { SurfaceError } from "../hosts/live/remote-script/control-surface-error.ts";
import { type OutcomeMessage, readOutcome } from "../hosts/live/remote-script/outcome-message.ts";
import type { PlaceMessage } from "../hosts/live/remote-script/plan-request.ts";
import { CHECK_NAME, CHECK_RUN } from "./check.ts";

const TOLD = [
  "warping",
  "looping",
  "loop_start",
  "loop_end",
  "start_marker",
  "end_marker",
  "armed",
] as const;

/** Places one loop as an import does, reports the values that the script reads back, and cancels the import. */
export async function findPlacing(client: SurfaceClient, file: string): Promise<LiveFacts> {
  const begun = performance.now();
  let outcome: OutcomeMessage;
  try {
    outcome = readOutcome(await client.request("place", placing(file)));
  } catch (error) {
    if (!(error instanceof SurfaceError)) throw error;
    return { error: `${error.code}: ${error.message}`, stays: error.stays.length };
  }
  const ms = Math.round(performance.now() - begun);
  const [track] = outcome.tracks;
  const refused = track?.refused.map(({ setting, message }) => `${setting}: ${message}`);
  return {
    error: track?.error?.message ?? null,
    attempt: track?.attempt ?? null,
    refused: refused ?? null,
    markers: track?.holds.markers ?? null,
    ...Object.fromEntries(TOLD.map((name) => [name, track?.holds[name] ?? null])),
    input_is_no_input: track?.holds.input === "No Input",
    takes_ms: ms,
    cancelled: await cancel(client),
  };
}

async function cancel(client: SurfaceClient): Promise<string> {
  try {
    await client.request("cancel", { run: CHECK_RUN });
    return "answered";
  } catch (error) {
    if (!(error instanceof SurfaceError)) throw error;
    return error.stays.length === 0 ? error.code : `${error.code}, and something stays`;
  }
}

function placing(file: string): PlaceMessage {
  const name = `${CHECK_NAME} placing`;
  return {
    run: CHECK_RUN,
    package: CHECK_RUN,
    tempo: null,
    scene: { name, color: 5, tempo: null, index: -1 },
    tracks: [
      {
        sound: "loop",
        on: null,
        name,
        color: 5,
        file,
        clip: {
          name,
          color: 5,
          warping: true,
          warp_mode: 0,
          looping: true,
          attempts: [
            {
              markers: [
                [0, 0],
                [3, 6],
              ],
              start: 0,
              end: 8,
            },
          ],
          gain: { db: -3, value: null },
        },
      },
    ],
  };
}
