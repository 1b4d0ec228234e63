import { execFile } from "node:child_process";
import { devNull } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../../engines/programs.ts";
import { writeBigWavs } from "../big-wav.ts";
import { Child } from "../child.ts";
import type { SenderCalls } from "../processes/sender.ts";

/** The place that an upload goes to. */
export interface Target {
  readonly url: string;
  /** `PUT` unless set. */
  readonly method?: "PATCH";
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the same WAV to any server. */
export interface Uploader {
  readonly name: string;
  /** Resolves with the milliseconds that it took. @throws unless the answer is a success */
  send(target: Target): Promise<number>;
}

/** curl where it is installed, otherwise a process of Node. */
export async function startUploader(
  stack: AsyncDisposableStack,
  { folder, sizeBytes }: { readonly folder: string; readonly sizeBytes: number },
): Promise<Uploader> {
  const curl = findCurl();
  if (curl !== undefined) {
    await writeBigWavs(join(folder, "to-send"), 1, sizeBytes);
    return { name: "curl", send: sendByCurl(curl, join(folder, "to-send", "sound-1.wav")) };
  }
  const sender = stack.use(new Child<SenderCalls>("sender"));
  return {
    name: "a process of Node (curl isn't installed)",
    send: ({ url, ...how }) => sender.call("upload", { urls: [url], sizeBytes, ...how }),
  };
}

function findCurl(): string | undefined {
  try {
    return findProgram("curl");
  } catch {
    return undefined;
  }
}

function sendByCurl(curl: string, path: string): Uploader["send"] {
  return async ({ url, method = "PUT", headers = {} }) => {
    const lines = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    const quiet = ["--silent", "--show-error", "--noproxy", "*", "--fail", "-o", devNull];
    const words = [...quiet, "-w", "%{time_total}", "-H", "Expect:", ...lines, "-X", method];
    const { stdout } = await promisify(execFile)(curl, [...words, "-T", path, url]);
    return Number(stdout) * 1000;
  };
}
