import type { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import {
  lineKeys,
  LineSigner,
} from "../../../../../addon/hosts/live/remote-script/signed-lines.ts";
import { VERSION } from "../../../../../core/version.ts";
import { until } from "../../../../sim/until.ts";
import { readPortFile } from "./cut-socket.ts";

/** A program that speaks to the control surface's port without the importer's code. */
export interface Stranger {
  readonly socket: Socket;
  /** All that has arrived. */
  readonly heard: () => string;
  readonly say: (bytes: string | Buffer) => void;
  readonly ended: Promise<void>;
}

export async function stranger(port: number): Promise<Stranger> {
  const socket = connect({ host: "127.0.0.1", port });
  onTestFinished(() => void socket.destroy());
  let heard = "";
  socket.on("data", (bytes: Buffer) => (heard += bytes.toString("utf8")));
  // A reset is an end like any other.
  socket.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  await once(socket, "connect");
  return { socket, heard: () => heard, say: (bytes) => void socket.write(bytes), ended };
}

/** Waits for the first line, and returns its nonce. */
export async function nonceOf({ heard, ended }: Stranger): Promise<string> {
  await Promise.race([ended, until(() => heard().includes("\n"))]);
  const [hello = "{}"] = heard().split("\n");
  return (JSON.parse(hello) as { nonce: string }).nonce;
}

export interface InsiderOptions {
  readonly folders?: readonly string[];
  readonly protocol?: number;
  readonly secret?: string;
}

/** A program that knows the secret, and signs each line. */
export async function insider(folder: string, options: InsiderOptions = {}) {
  const { port, secret } = await readPortFile(folder);
  const other = await stranger(port);
  const keys = lineKeys(options.secret ?? secret, await nonceOf(other), "00".repeat(16));
  const signer = new LineSigner(keys.client);
  const { protocol = 1, folders = [] } = options;
  const sign = (message: object | string) =>
    signer.sign(typeof message === "string" ? message : JSON.stringify(message));
  const login = sign({ login: { protocol, version: VERSION, nonce: "00".repeat(16), folders } });
  other.say(login);
  return { ...other, sign, login, send: (message: object | string) => other.say(sign(message)) };
}
