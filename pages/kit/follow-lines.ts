import { type Link, SecretCallError } from "./secret-calls.ts";

/** The server sends the state every 15 s even without a change; a longer silence is a lost connection. */
const SILENCE_LIMIT_MS = 40_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;

/** Callbacks of a followed state. */
export interface LinesListener<State> {
  readonly onState: (state: State) => void;
  readonly onLink: (link: Link) => void;
}

/** Opens a stream of states, one line of JSON after each change. */
type OpenLines = (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;

/**
 * Follows a state until the signal aborts or the page's secret is refused, and reconnects with exponential backoff
 * (rule N3).
 * @typeParam State what the page's own server sends
 */
export async function followLines<State>(
  open: OpenLines,
  listener: LinesListener<State>,
  signal: AbortSignal,
): Promise<void> {
  let delayMs = FIRST_DELAY_MS;
  const onLine = (line: string): void => {
    delayMs = FIRST_DELAY_MS;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- sent by the page's own server
    listener.onState(JSON.parse(line) as State);
  };
  while (!signal.aborted) {
    try {
      await readOnce(open, onLine, signal);
    } catch (error) {
      if (error instanceof SecretCallError && error.status === 403) {
        listener.onLink("refused");
        return;
      }
    }
    if (signal.aborted) return;
    listener.onLink("lost");
    await sleep(delayMs, signal);
    delayMs = Math.min(MAX_DELAY_MS, 2 * delayMs);
  }
}

/** Reads one connection to its end. */
async function readOnce(
  open: OpenLines,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const connection = new AbortController();
  const hangUp = (): void => connection.abort();
  signal.addEventListener("abort", hangUp);
  let timer = 0;
  const restartTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(hangUp, SILENCE_LIMIT_MS);
  };
  restartTimer();
  try {
    const bytes = await open(connection.signal);
    await readLines(bytes, (line) => {
      restartTimer();
      onLine(line);
    });
  } finally {
    clearTimeout(timer);
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

function sleep(ms: number, signal: AbortSignal): Promise<void> {
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
