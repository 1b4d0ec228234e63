import type { IncomingMessage } from "node:http";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { isJsonObject, type JsonObject } from "../../core/text/json-object.ts";
import { MAX_JSON_BYTES } from "../../core/limits.ts";
import type {
  AppsAnswer,
  PairingCodeAnswer,
  PairingReply,
  PairingRequestAnswer,
} from "../../core/protocol/importer-api.ts";
import { PANEL_CALLS, PANEL_KEYS_PATH } from "../../core/protocol/panel-calls.ts";
import { ImportCancelledError } from "../runs/import-errors.ts";
import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import type { ImporterCalls } from "../importer.ts";
import type {
  ImportAllOptions,
  ImportOptions,
  PackageProgress,
  PackagesToImport,
  ImportAllOutcome,
  Dismissal,
} from "../runs/importer-calls.ts";
import { isPackageId } from "../../core/protocol/package-id.ts";
import { HttpConnection } from "../relay/http-connection.ts";
import { RelayUnreachableError } from "../relay/relay-errors.ts";
import { ControlError } from "./control-call.ts";
import { SECRET_HEADER } from "./control-server.ts";

/** Size limit of an answer, as large as a relay's answers. */
const MAX_ANSWER_BYTES = 65 * MAX_JSON_BYTES;
/** Timeout of `hello`; short, because start-up waits for it. */
const HELLO_LIMIT_MS = 2000;

export interface ControlAddress {
  readonly port: number;
  readonly secret: string;
}

/** A line of a streamed run. */
interface RunLine<Outcome> {
  readonly outcome?: Outcome;
  readonly progress?: PackageProgress;
}

/** Returns whether an importer with this secret listens on the port; a timeout counts as a busy importer. */
export async function answersAt(
  port: number,
  secret: string,
  limitMs = HELLO_LIMIT_MS,
): Promise<boolean> {
  const http = connectTo({ port, secret }, limitMs);
  try {
    const hello = { method: "GET", path: "/control/hello", maxAnswerBytes: MAX_JSON_BYTES };
    return (await http.call(hello)).status === 200;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error && "code" in cause && cause.code === "ETIMEDOUT";
  } finally {
    http.close();
  }
}

/** Makes a one-time key for the panel of an importer (rule N29). @throws {Error} when the importer doesn't answer */
export async function newPanelKey(address: ControlAddress): Promise<string> {
  const { key } = await askOnce(address, "POST", PANEL_KEYS_PATH);
  if (typeof key !== "string") throw new Error("The running importer made no key.");
  return key;
}

/** Returns whether nobody has used a one-time key yet. @throws {Error} when the importer doesn't answer */
export async function isPanelKeyUnused(address: ControlAddress, key: string): Promise<boolean> {
  const { unused } = await askOnce(address, "GET", `${PANEL_KEYS_PATH}/${key}`);
  return unused === true;
}

async function askOnce(address: ControlAddress, method: string, path: string): Promise<JsonObject> {
  const http = connectTo(address, HELLO_LIMIT_MS);
  try {
    const { body } = await http.call({ method, path, maxAnswerBytes: MAX_JSON_BYTES });
    return isJsonObject(body) ? body : {};
  } finally {
    http.close();
  }
}

/** A client of an importer in another process (rule R3). */
export class ControlClient implements ImporterCalls {
  readonly #http: HttpConnection;

  constructor(address: ControlAddress) {
    this.#http = connectTo(address);
  }

  pairingCode(): Promise<PairingCodeAnswer> {
    return this.#ask(...PANEL_CALLS.openCode, { keep: true });
  }

  pairingRequest(): Promise<PairingRequestAnswer> {
    return this.#ask("GET", "/control/pairing-request");
  }

  async answerPairing(reply: PairingReply): Promise<void> {
    await this.#ask(...PANEL_CALLS.answerPairing, reply);
  }

  apps(): Promise<AppsAnswer> {
    return this.#ask("GET", "/control/apps");
  }

  async unpair(pairingId: string): Promise<void> {
    const [method, path] = PANEL_CALLS.unpair;
    await this.#ask(method, path.replace(":pairing_id", encodeURIComponent(pairingId)));
  }

  async rename(deviceName: string): Promise<string> {
    const body = { device_name: deviceName };
    const named = await this.#ask<typeof body>(...PANEL_CALLS.rename, body);
    return named.device_name;
  }

  packages(): Promise<PackagesToImport> {
    return this.#ask("GET", "/control/packages");
  }

  import(source: string, options: ImportOptions = {}): Promise<ImportOutcome> {
    const { host, again, takeOver, sessionTempoBpm, only, reuseTracks } = options;
    const body = {
      source: namedSource(source),
      host,
      again,
      take_over: takeOver,
      session_tempo_bpm: sessionTempoBpm,
      only,
      reuse_tracks: reuseTracks,
    };
    return this.#follow("/control/import", body, options);
  }

  importAll(options: ImportAllOptions = {}): Promise<ImportAllOutcome> {
    return this.#follow(PANEL_CALLS.importAll[1], { host: options.host }, options);
  }

  dismiss(source: string): Promise<Dismissal> {
    return this.#ask("POST", "/control/dismiss", { source: namedSource(source) });
  }

  undoDismiss(source: string): Promise<Dismissal> {
    return this.#ask("POST", "/control/dismiss", { source: namedSource(source), undo: true });
  }

  close(): void {
    this.#http.close();
  }

  async #ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await toDiskError(() =>
      this.#http.call({
        method,
        path,
        ...(body !== undefined && { body }),
        maxAnswerBytes: MAX_ANSWER_BYTES,
      }),
    );
    if (answer.status !== 200) throw errorIn(answer.body);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an importer of the same user gave it, under the secret of its lock
    return answer.body as Body;
  }

  /** Reads lines up to the outcome; aborting the signal disconnects, which cancels the run. */
  async #follow<Outcome>(path: string, body: object, options: ImportAllOptions): Promise<Outcome> {
    const signal = options.signal ?? new AbortController().signal;
    try {
      const answer = await toDiskError(() =>
        this.#http.open({ method: "POST", path, body }, signal),
      );
      return await readRun(answer, options.onProgress);
    } catch (error) {
      throw signal.aborted ? new ImportCancelledError({ cause: error }) : error;
    }
  }
}

/** Returns a package's id or absolute path: the other process has another working directory. */
function namedSource(source: string): string {
  return isPackageId(source) ? source : resolve(source);
}

/**
 * Reads the lines of a run up to its outcome.
 * @throws {ControlError} the other side's error, or that it stopped before it was done
 */
async function readRun<Outcome>(
  answer: IncomingMessage,
  onProgress: ImportAllOptions["onProgress"],
): Promise<Outcome> {
  try {
    for await (const text of createInterface({ input: answer, crlfDelay: Infinity })) {
      const line = parseJson(text);
      if (!isJsonObject(line)) break;
      if ("error" in line) throw errorIn(line);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an importer of the same user gave it, under the secret of its lock
      const { outcome, progress } = line as RunLine<Outcome>;
      if (outcome !== undefined) return outcome;
      if (progress !== undefined) onProgress?.(progress);
    }
    throw new Error("its answer has no outcome");
  } catch (error) {
    if (error instanceof ControlError) throw error;
    throw new ControlError(500, "The importer stopped before the import finished.", {
      cause: error,
    });
  } finally {
    answer.destroy();
  }
}

function connectTo({ port, secret }: ControlAddress, answerDeadlineMs = 60_000): HttpConnection {
  return new HttpConnection({
    baseUrl: `http://127.0.0.1:${port}`,
    headers: { [SECRET_HEADER]: secret },
    needsMark: false,
    answerDeadlineMs,
    // A host may be slow between two progress lines.
    silenceLimitMs: 0,
  });
}

async function toDiskError<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RelayUnreachableError)) throw error;
    throw new Error("The running importer isn't responding. Stop it, then try again.", {
      cause: error,
    });
  }
}

/** Restores the other side's error. */
function errorIn(body: unknown): ControlError {
  const { error, status, code } = isJsonObject(body) ? body : {};
  return new ControlError(
    typeof status === "number" ? status : 500,
    typeof error === "string" ? error : "The running importer couldn't do that.",
    { code: typeof code === "string" ? code : undefined },
  );
}
