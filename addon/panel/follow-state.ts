import type { PanelState } from "../../core/protocol/panel-api.ts";
import { type ControlCalls, ControlCallError } from "./control-calls.ts";
import type { Link } from "./link.ts";

/** The importer tells its state every 15 s even where nothing changes; a silence longer than this is a lost connection. */
const SILENCE_LIMIT_MS = 40_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;

/** What a follower is told. */
export interface StateListener {
  readonly onState: (state: PanelState) => void;
  readonly onLink: (link: Link) => void;
}

/**
 * Follows the importer's state until the signal aborts, and takes a lost connection up again, with
 * growing pauses (rule N3). Ends by itself only where the importer refuses the secret.
 */
export async function followState(
  calls: ControlCalls,
  listener: StateListener,
  signal: AbortSignal,
): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  const onState = (state: PanelState): void => {
    pauseMs = FIRST_PAUSE_MS;
    listener.onState(state);
  };
  while (!signal.aborted) {
    try {
      await readOnce(calls, onState, signal);
    } catch (error) {
      if (error instanceof ControlCallError && error.status === 403) {
        listener.onLink("refused");
        return;
      }
    }
    if (signal.aborted) return;
    listener.onLink("lost");
    await pause(pauseMs, signal);
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }
}

/** Reads one connection to its end. */
async function readOnce(
  calls: ControlCalls,
  onState: (state: PanelState) => void,
  signal: AbortSignal,
): Promise<void> {
  const connection = new AbortController();
  const hangUp = (): void => connection.abort();
  signal.addEventListener("abort", hangUp);
  let watch = 0;
  const heard = (): void => {
    clearTimeout(watch);
    watch = setTimeout(hangUp, SILENCE_LIMIT_MS);
  };
  heard();
  try {
    const bytes = await calls.openState(connection.signal);
    await readLines(bytes, (line) => {
      heard();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this page's own importer says it
      onState(JSON.parse(line) as PanelState);
    });
  } finally {
    clearTimeout(watch);
    signal.removeEventListener("abort", hangUp);
    hangUp();
  }
}

async function readLines(
  bytes: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  const reader = bytes.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
