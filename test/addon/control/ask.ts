import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import { startImporter, type StartImporterOptions } from "../../../addon/control/open-importer.ts";
import { importerOptions, type WorkOptions } from "../importer-at-work.ts";

export const SECRET = "s3cret".repeat(7);

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  /** Headers besides the right secret; undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** The parsed body; undefined where it isn't JSON. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/** Calls a control server, by default like one of the user's programs. */
export async function ask(port: number, asked: Asked = {}): Promise<Answer> {
  const { method = "GET", path = "/control/hello", body } = asked;
  const headers = { "x-soundferry-secret": SECRET, ...asked.headers };
  const calling = request({
    host: "127.0.0.1",
    port,
    method,
    path,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
  });
  calling.end(typeof body === "object" ? JSON.stringify(body) : body);
  const [answer] = await once(calling, "response");
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  return { status: answer.statusCode, headers: answer.headers, bytes, json: jsonIn(bytes) };
}

function jsonIn(bytes: Buffer): Answer["json"] {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Sends raw bytes and returns what comes back until the server disconnects. */
export async function askRaw(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  // Being disconnected during a write may appear as an error.
  socket.on("error", () => {});
  let answer = "";
  socket.setEncoding("latin1").on("data", (piece: string) => {
    answer += piece;
  });
  socket.write(text);
  await new Promise((resolve) => {
    socket.on("close", resolve);
  });
  return answer;
}

/** A running importer with the calls of its panel; closed when the test is over. */
export async function runPanel(
  relayUrl: string | null,
  { more, ...work }: WorkOptions & { readonly more?: Partial<StartImporterOptions> } = {},
) {
  const { folder, ...options } = await importerOptions(relayUrl, work);
  const running = await startImporter({ ...options, ...more });
  onTestFinished(() => running.close());
  const { port, secret } = running;
  const headers = { "x-soundferry-secret": secret, origin: `http://127.0.0.1:${port}` };
  const call = (method: string, path: string, body?: Asked["body"]) =>
    ask(port, { method, path, headers, ...(body !== undefined && { body }) });
  return { ...running, folder, call, settings: options.settings };
}
