import { createContext, runInContext } from "node:vm";
import { afterEach, expect, test } from "vitest";
import type { AudioTools } from "../../client/send/session/audio-tools.ts";
import { NOTHING_HEARD } from "../../core/audio/listening/heard.ts";
import { readWavHeaderAt } from "../../core/audio/read-wav-header-at.ts";
import { encodeWav } from "../../fixtures/synth/wav-file.ts";
import { bundleWorker } from "../../scripts/client/bundle-client.ts";
import { readListeningTable, renderRow } from "../core/audio/listening/render-row.ts";

// Tests are compiled without a browser's types, which its recorder and decoder need.
const tools = "../../client/audio/index.ts";
const audio: {
  listen(...all: [...Parameters<AudioTools["listen"]>, string]): ReturnType<AudioTools["listen"]>;
} = await import(tools);
const SCRIPT = await bundleWorker("listening-worker");

/** Runs the built script as a Worker runs it, in a context of its own. */
class ScriptWorker {
  static ended = 0;
  readonly #out = new EventTarget();
  readonly #in = new EventTarget();

  constructor(url: string) {
    const send = (target: EventTarget) => (data: unknown) =>
      queueMicrotask(() => target.dispatchEvent(new MessageEvent("message", { data })));
    this.postMessage = send(this.#in);
    const addEventListener = this.#in.addEventListener.bind(this.#in);
    const scope = { addEventListener, postMessage: send(this.#out) };
    if (url === "blocked.js") queueMicrotask(() => this.#out.dispatchEvent(new Event("error")));
    else runInContext(`(async () => { ${SCRIPT} })()`, createContext(scope));
    this.addEventListener = this.#out.addEventListener.bind(this.#out);
  }

  readonly addEventListener: EventTarget["addEventListener"];
  readonly postMessage: (data: unknown) => void;

  terminate(): void {
    ScriptWorker.ended += 1;
  }
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, "Worker");
});

test("[Y11] the built Worker hears what the command line hears, and ends", async () => {
  Reflect.set(globalThis, "Worker", ScriptWorker);
  const row = readListeningTable("table.tsv")[4];
  if (row === undefined) throw new Error("no row");
  const file = encodeWav([Float64Array.from(renderRow(row))], { rateHz: row.sampleRateHz });
  const readAt = async (offset: number, length: number) => file.subarray(offset, offset + length);
  const header = await readWavHeaderAt(readAt, file.length, "a.wav");
  const wav = new Blob([Uint8Array.from(file)]);
  expect(await audio.listen(wav, header, "listening-worker.js")).toMatchObject({
    kind: "loop",
    lengthBeats: 16,
  });
  expect(ScriptWorker.ended).toBe(1);
  const cut = wav.slice(0, 1000);
  expect(await audio.listen(cut, header, "listening-worker.js")).toEqual(NOTHING_HEARD);
  expect(await audio.listen(wav, header, "blocked.js")).toBeNull();
});
