import { performance } from "node:perf_hooks";
import { isJsonObject } from "../../core/text/json-object.ts";
import type { LiveFact, LiveFacts } from "../../core/protocol/live-report.ts";
import type { SurfaceClient } from "../hosts/live/remote-script/control-surface-client.ts";
import { SurfaceError } from "../hosts/live/remote-script/control-surface-error.ts";
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
];

/** Places one loop as an import does, reports the values that the script reads back, and cancels the import. */
export async function findPlacing(client: SurfaceClient, file: string): Promise<LiveFacts> {
  const begun = performance.now();
  let outcome;
  try {
    outcome = await client.request("place", placing(file));
  } catch (error) {
    if (!(error instanceof SurfaceError)) throw error;
    return { error: `${error.code}: ${error.message}`, stays: error.stays.length };
  }
  const ms = Math.round(performance.now() - begun);
  const [track] = Array.isArray(outcome["tracks"]) ? outcome["tracks"] : [];
  const told = isJsonObject(track) ? track : {};
  const holds = isJsonObject(told["holds"]) ? told["holds"] : {};
  return {
    error: isJsonObject(told["error"]) ? String(told["error"]["message"]) : null,
    attempt: factOf(told["attempt"]),
    refused: Array.isArray(told["refused"])
      ? told["refused"]
          .filter(isJsonObject)
          .map((each) => `${String(each["setting"])}: ${String(each["message"])}`)
      : null,
    markers: factOf(holds["markers"]),
    ...Object.fromEntries(TOLD.map((name) => [name, factOf(holds[name])])),
    input_is_no_input: holds["input"] === "No Input",
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

function factOf(value: unknown): LiveFact {
  if (Array.isArray(value)) return value.map(factOf);
  const isScalar =
    typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isScalar ? value : null;
}
