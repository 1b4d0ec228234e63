import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { smallWav } from "../wav-bytes.ts";
import { App } from "./app.ts";
import { httpCall } from "./http-call.ts";
import { letPass } from "./real-time.ts";
import { type Answer, type CalledRelay, type CallOptions, fetchAnswer, worldOf } from "./world.ts";

const FILES = ["a.wav", "b.wav", "c.wav", "d.wav"];
const FRAMES = 100;

/** Size of a package's sounds, in bytes. */
export const PACKAGE_BYTES = FILES.length * smallWav({ frames: FRAMES }).byteLength;

/** A relay that is called slowly, each time on a new connection. What gets 503 or is cut off is repeated. */
class SlowLine implements CalledRelay {
  readonly wasClockWrong = false;
  bytesSent = 0;
  repeated = 0;
  readonly #url: string;
  readonly #pauseMs: () => number;

  constructor(url: string, pauseMs: () => number) {
    this.#url = url;
    this.#pauseMs = pauseMs;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const onPiece = async (bytes: number) => {
      this.bytesSent += bytes;
      await letPass(this.#pauseMs());
    };
    for (;;) {
      const agent = new Agent();
      const isSound = method === "PUT";
      const call = { method, path, ...options, agent, ...(isSound && { onPiece }) };
      const { status, headers, body, json } = await httpCall({ url: this.#url }, call);
      const { "retry-after": retryAfter } = headers;
      if (![0, 503].includes(status)) return { status, body, json, retryAfter };
      this.repeated += 1;
      await letPass(Number(retryAfter ?? 0.1) * 1000);
    }
  }
}

/** The tokens of apps, all of one computer, and its importer's. @param url of a relay */
export async function pairApps(url: string, count: number) {
  const call = (method: string, path: string, options: object = {}) =>
    fetchAnswer(url + path, { method, ...options });
  const app = await App.paired(worldOf({ call, wasClockWrong: false }));
  const tokens = [app.facts.app ?? ""];
  while (tokens.length < count) {
    tokens.push((await app.another(`app-${tokens.length}`)).facts.app ?? "");
  }
  return { tokens, app };
}

/** The cost of one package for its app. */
export interface Sent {
  readonly status: string;
  /** Bytes of sounds, in all tries. */
  readonly bytesSent: number;
  /** Calls that were refused or cut off, and repeated. */
  readonly repeated: number;
}

/** Sends a package slowly. @param options `pauseMs` passes between two pieces of a file */
export async function sendSlowly(options: {
  readonly url: string;
  readonly token: string;
  readonly pauseMs: () => number;
}): Promise<Sent> {
  const line = new SlowLine(options.url, options.pauseMs);
  const app = new App(worldOf(line), randomUUID());
  await app.note({ app: options.token, isPaired: true });
  const key = await app.send(FILES, FRAMES);
  const { bytesSent, repeated } = line;
  return { status: (await app.status(key)).json.status, bytesSent, repeated };
}
