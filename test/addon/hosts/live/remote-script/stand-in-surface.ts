import { createHmac, randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type {
  PlaceMessage,
  TrackMessage,
} from "../../../../../addon/hosts/live/remote-script/plan-request.ts";
import { VERSION } from "../../../../../core/version.ts";
import { StandInSet } from "./stand-in-set.ts";
import { type LookHabits, StandInLooks } from "./stand-in-looks.ts";
import { StandInRun, type SurfaceHabits } from "./stand-in-run.ts";

export interface StandInSurfaceOptions extends SurfaceHabits, LookHabits {
  readonly version?: string;
  readonly protocol?: number;
  /** Live's version. */
  readonly live?: string;
  /** Null for a Live that can't tell. */
  readonly edition?: string | null;
  /** Live lacks the call that makes a clip. */
  readonly lacksClips?: boolean;
  /** The start, in seconds since 1970, and a port file of its own beside the shared one. */
  readonly started?: number;
  /** Signs its lines with another secret than the file's. */
  readonly forged?: boolean;
  /** Takes connections and says nothing. */
  readonly silent?: boolean;
  /** Called with each line, in either direction, from 1; `cut` ends the connection instead, `kill` Live. */
  readonly onLine?: (line: number) => "cut" | "kill" | undefined;
}

interface Line {
  readonly socket: Socket;
  readonly helloNonce: string;
  loginNonce: string | undefined;
  taken: number;
  given: number;
  rest: string;
}

/**
 * Does what docs/use/live.md says of the script, over a real socket, on a stand-in for a Set. It
 * shares no code with the client.
 */
export class StandInSurface {
  readonly set: StandInSet;
  readonly folder: string;
  /** The requests that arrived, in order. */
  readonly requests: { readonly call: string; readonly [key: string]: unknown }[] = [];
  readonly #options: StandInSurfaceOptions;
  readonly #secret = randomBytes(32).toString("hex");
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #runs = new Map<string, StandInRun>();
  readonly #looks: StandInLooks;
  #lines = 0;
  #isDead = false;
  #isPaused = false;
  #waiting: (() => void)[] = [];

  private constructor(folder: string, set: StandInSet, options: StandInSurfaceOptions) {
    this.folder = folder;
    this.set = set;
    this.#options = options;
    this.#looks = new StandInLooks(options);
    this.#server = createServer((socket) => this.#welcome(socket));
  }

  /** @param folder where the port file goes */
  static async start(
    folder: string,
    options: StandInSurfaceOptions = {},
    set = new StandInSet(),
  ): Promise<StandInSurface> {
    const surface = new StandInSurface(folder, set, options);
    await new Promise<void>((resolve) => {
      surface.#server.listen(0, "127.0.0.1", resolve);
    });
    await surface.#writePortFile();
    onTestFinished(() => surface.kill());
    return surface;
  }

  /** The number of lines in each direction. */
  get lines(): number {
    return this.#lines;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  get port(): number {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a TCP server
    return (this.#server.address() as AddressInfo).port;
  }

  /** Live dies: its Set stays as it was saved, and so does the port file. */
  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    for (const run of this.#runs.values()) run.stop();
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /** The person leaves Live in order, or chooses another control surface. */
  async quit(): Promise<void> {
    this.kill();
    for (const path of this.#portFiles()) await rm(path, { force: true });
  }

  /** Ends all connections; the control surface continues. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** A menu is open in Live: nothing is answered until `resume`. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const act of this.#waiting.splice(0)) act();
  }

  async #writePortFile(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const { version = VERSION, protocol = 1, forged = false, started = 0 } = this.#options;
    const secret = forged ? "0".repeat(64) : this.#secret;
    const service = "soundferry-control-surface";
    const about = { service, version, protocol, port: this.port, secret };
    const said = JSON.stringify({ ...about, process: process.pid, started });
    for (const path of this.#portFiles()) await writeFile(path, said, { mode: 0o600 });
  }

  #portFiles(): readonly string[] {
    const own = this.#options.started;
    const names = ["live-control-surface.json", `live-control-surface-${own}.json`];
    return names.slice(0, own === undefined ? 1 : 2).map((name) => join(this.folder, name));
  }

  #welcome(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
    if (this.#options.silent === true) return;
    const helloNonce = randomBytes(16).toString("hex");
    const line: Line = { socket, helloNonce, loginNonce: undefined, taken: 0, given: 0, rest: "" };
    const { version = VERSION, protocol = 1 } = this.#options;
    const hello = { hello: "soundferry-control-surface", protocol, version, nonce: helloNonce };
    this.#inTick(() => this.#write(line, `${JSON.stringify(hello)}\n`));
    socket.on("data", (bytes) => this.#inTick(() => this.#take(line, bytes.toString("latin1"))));
  }

  #inTick(act: () => void): void {
    if (this.#isPaused) this.#waiting.push(act);
    else act();
  }

  #take(line: Line, text: string): void {
    line.rest += text;
    for (let end = line.rest.indexOf("\n"); end !== -1; end = line.rest.indexOf("\n")) {
      const [digits, json] = [line.rest.slice(0, 64), line.rest.slice(65, end)];
      line.rest = line.rest.slice(end + 1);
      if (!this.#counts(line)) return;
      const key = this.#key(`client ${line.helloNonce}`);
      if (digits !== this.#sign(key, line.taken, Buffer.from(json, "latin1"))) {
        line.socket.end('{"refused": "signature"}\n');
        return;
      }
      line.taken += 1;
      this.#answer(line, JSON.parse(Buffer.from(json, "latin1").toString("utf8")));
    }
  }

  #answer(line: Line, message: Record<string, unknown>): void {
    if (line.loginNonce === undefined) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the stand-in trusts who signed
      const login = message["login"] as { nonce: string; folders: string[] };
      line.loginNonce = login.nonce;
      this.#folders = login.folders;
      const { live = "12.1.5", edition = "Standard", lacksClips = false } = this.#options;
      const can = { create_audio_clip: !lacksClips };
      this.#send(line, { welcome: { live, edition, version: VERSION, can } });
      return;
    }
    const { id } = message;
    const reply = (ok: object) => this.#send(line, { id, ok });
    const refuse = (error: object) => this.#send(line, { id, error });
    const progress = (said: object) => this.#send(line, { id, progress: said });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the stand-in trusts who signed
    const request = message as { call: string; run: string };
    this.requests.push(request);
    if (request.call === "look") reply(this.#look(request.run));
    else if (request.call === "watch") {
      const { run } = request;
      const outcome = () => this.#runs.get(run)?.outcome ?? null;
      void this.#looks.answer(run, outcome).then((said) => this.#send(line, { id, ...said }));
    } else if (request.call === "cancel") this.#cancel(request.run, reply, refuse);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the stand-in trusts who signed
    else this.#place(message as unknown as PlaceMessage, { reply, refuse, progress });
  }

  #folders: readonly string[] = [];

  #look(run: string) {
    const active = [...this.#runs.values()].find(({ isActive }) => isActive);
    const { tempo, scenes, tracks, unfinished } = this.set;
    return {
      tempo,
      scenes: scenes.map(({ name }) => name),
      tracks: tracks.map(({ name, mark }) => Object.assign({}, mark, { track: name })),
      unfinished,
      running: active?.id ?? null,
      outcome: this.#runs.get(run)?.outcome ?? null,
    };
  }

  #cancel(runId: string, reply: (ok: object) => void, refuse: (error: object) => void): void {
    const run = this.#runs.get(runId);
    const wasActive = run?.isActive === true;
    const error = run?.cancel() ?? { code: "request", message: "There is nothing to do." };
    this.#runs.delete(runId);
    if (wasActive) reply({});
    else refuse(error);
  }

  #place(
    message: PlaceMessage,
    answer: {
      readonly reply: (ok: object) => void;
      readonly refuse: (error: object) => void;
      readonly progress: (said: object) => void;
    },
  ): void {
    const known = this.#runs.get(message.run);
    const active = [...this.#runs.values()].find(({ isActive }) => isActive);
    if (known === undefined && active !== undefined) {
      answer.refuse({ code: "busy", message: "" });
      return;
    }
    const outside = message.tracks.find((track) => !this.#isInside(track));
    if (outside !== undefined) {
      answer.refuse({ code: "path", message: outside.file });
      return;
    }
    const run =
      known ?? new StandInRun(this.set, message, this.#options, (act) => this.#inTick(act));
    this.#runs.set(message.run, run);
    run.follow(answer, () => this.#forget(message.run));
  }

  #isInside({ file }: TrackMessage): boolean {
    return this.#folders.some((folder) => realpathSync(file).startsWith(`${folder}/`));
  }

  /** A run that left nothing is as if it had never been. */
  #forget(runId: string): void {
    if (this.#runs.get(runId)?.isActive === false) this.#runs.delete(runId);
  }

  #send(line: Line, message: object): void {
    const json = Buffer.from(JSON.stringify(message));
    const key = this.#key(`server ${line.helloNonce} ${line.loginNonce}`);
    const digits = this.#sign(key, line.given, json);
    line.given += 1;
    this.#write(line, `${digits} ${json.toString("utf8")}\n`);
  }

  #write(line: Line, text: string): void {
    if (line.socket.destroyed || !this.#counts(line)) return;
    line.socket.write(text);
  }

  /** Counts a line; false where it isn't delivered. */
  #counts({ socket }: Line): boolean {
    if (this.#isDead || socket.destroyed) return false;
    this.#lines += 1;
    const what = this.#options.onLine?.(this.#lines);
    if (what === "cut") socket.destroy();
    if (what === "kill") this.kill();
    return what === undefined;
  }

  #key(text: string): Buffer {
    return createHmac("sha256", this.#secret).update(text).digest();
  }

  #sign(key: Buffer, count: number, json: Buffer): string {
    return createHmac("sha256", key).update(`${count} `).update(json).digest("hex");
  }
}
