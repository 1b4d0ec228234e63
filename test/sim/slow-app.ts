import { request } from "node:http";
import type { AnnounceAnswer, StatusAnswer } from "../../core/protocol/public-api.ts";
import { smallWav } from "../wav-bytes.ts";
import { manifestOf } from "../relay/running-relay.ts";
import { App } from "./app.ts";
import { letPass } from "./real-time.ts";
import { fetchAnswer, worldOf } from "./world.ts";

const FILES = ["a.wav", "b.wav", "c.wav", "d.wav"];
const PIECES = 8;

export interface SlowAppOptions {
  readonly url: string;
  readonly token: string;
  /** Between two pieces of a file. */
  readonly pauseMs: () => number;
}

/** What one package cost its app. */
export interface Sent {
  readonly status: string;
  /** Of sounds, in all tries. */
  readonly bytesSent: number;
  /** Calls that were refused or cut off, and repeated. */
  readonly repeated: number;
}

/** The tokens of apps, all of one computer, and its importer's. @param url of a relay */
export async function pairApps(url: string, count: number) {
  const call = (method: string, path: string, options: object = {}) =>
    fetchAnswer(url + path, { method, ...options });
  const app = await App.paired(worldOf({ call, wasClockWrong: false }));
  const tokens = [app.facts.app ?? ""];
  while (tokens.length < count) {
    const { code } = (await app.asImporter(201, "POST", "/pairing-code")).json;
    const body = { code, app_name: "Slow app", app_id: `app-${tokens.length}` };
    tokens.push((await app.ask(200, "POST", "/pair/claim", { body })).json.app_token);
  }
  return { tokens, app };
}

/** How many bytes of sounds a package has. */
export const PACKAGE_BYTES = FILES.length * smallWav().byteLength;

/** Sends a package file by file, slowly, each on a connection of its own. Repeats what gets 503 or is cut off. */
export async function sendSlowly({ url, token, pauseMs }: SlowAppOptions): Promise<Sent> {
  let bytesSent = 0;
  let repeated = 0;
  const call = async <Body>(method: string, path: string, pieces: readonly Uint8Array[]) => {
    for (;;) {
      const answer = await callOnce(url + path, { method, token, pieces }, async (bytes) => {
        if (method === "PUT") {
          bytesSent += bytes;
          await letPass(pauseMs());
        }
      }).catch(() => undefined);
      if (answer !== undefined && answer.status < 300) return JSON.parse(answer.text) as Body;
      if (answer !== undefined && answer.status !== 503) throw new Error(answer.text);
      repeated += 1;
      await letPass((answer?.retryAfterSeconds ?? 0.1) * 1000);
    }
  };
  const manifest = Buffer.from(JSON.stringify(manifestOf(FILES)));
  const announced = await call<AnnounceAnswer>("POST", "/packages", [manifest]);
  for (const file of FILES) await call("PUT", announced.upload[file] ?? "", inPieces(smallWav()));
  const id = announced.package_id;
  const { status } = await call<StatusAnswer>("POST", `/packages/${id}/commit`, []);
  return { status, bytesSent, repeated };
}

function inPieces(bytes: Uint8Array): readonly Uint8Array[] {
  const size = Math.ceil(bytes.byteLength / PIECES);
  return Array.from({ length: PIECES }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

interface CallOptions {
  readonly method: string;
  readonly token: string;
  readonly pieces: readonly Uint8Array[];
}

/** One call on a connection of its own. @param onSent called with the bytes of each piece; the next one waits for it */
function callOnce(
  url: string,
  { method, token, pieces }: CallOptions,
  onSent: (bytes: number) => Promise<void>,
): Promise<{ status: number; text: string; retryAfterSeconds: number | undefined }> {
  return new Promise((resolve, reject) => {
    const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    const headers = { authorization: `Bearer ${token}`, "content-length": length };
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      let text = "";
      answer.on("error", reject);
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      answer.on("end", () => {
        const seconds = answer.headers["retry-after"];
        const retryAfterSeconds = seconds === undefined ? undefined : Number(seconds);
        resolve({ status: answer.statusCode ?? 0, text, retryAfterSeconds });
      });
    });
    sent.on("error", reject);
    void (async () => {
      for (const piece of pieces) {
        if (sent.destroyed) return;
        sent.write(piece);
        await onSent(piece.byteLength);
      }
      sent.end();
    })();
  });
}
