import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A fault of a connection, as data. */
export interface Cut {
  /** The side whose bytes count: the caller's (`up`, the default) or the target's. */
  readonly direction?: "up" | "down";
  /**
   * The point of the connection at which it strikes. `bytes` and `text` strike after the piece that reaches them,
   * `text` with `isHeldBack` before it. `isMidLine` lets half of the next line through.
   */
  readonly at:
    | { readonly bytes: number }
    | { readonly text: string; readonly isHeldBack?: boolean }
    | { readonly lines: number; readonly isMidLine: boolean };
  /**
   * - `end`: both ends are closed.
   * - `reset`: the target reads what came and is closed, then the caller's end is reset.
   * - `stall`: nothing more is carried.
   * - `lose answer`: both ends are closed as soon as the target answers.
   * - bytes: the caller gets these, and nothing more.
   */
  readonly does: "end" | "reset" | "stall" | "lose answer" | Buffer;
  /** Number of connections that it strikes. Default: every one. */
  readonly times?: number;
}

export interface CutterOptions {
  /** Holds a connection until the target listens, as a load balancer with a queue does. */
  readonly waitsForTarget?: boolean;
}

/** One connection. What the target answers passes, ends it, or is dropped. */
interface Line {
  readonly caller: Socket;
  readonly target: Socket;
  answers: "pass" | "end" | "drop";
}

const RETRY_MS = 5;
const LINE_FEED = 0x0a;

/** A way to a TCP server, on which connections stall, break and lose what was sent. Without a fault it carries all. */
export class Cutter implements AsyncDisposable {
  /** Bytes from callers, in all connections. */
  upBytes = 0;
  /** Number of connections that a fault broke. */
  cuts = 0;
  readonly #server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true });
  readonly #sockets = new Set<Socket>();
  readonly #stalled = new Set<Socket>();
  #target: string;
  #fault: Cut | undefined;
  #left = 0;
  #isClosed = false;

  private constructor(target: string, { waitsForTarget = false }: CutterOptions) {
    this.#target = target;
    this.#server.on("connection", (caller) => void this.#accept(caller, waitsForTarget));
  }

  /** @param target the URL of a server, of whatever protocol */
  static async to(target: string, options: CutterOptions = {}): Promise<Cutter> {
    const cutter = new Cutter(target, options);
    await once(cutter.#server.listen(0, "127.0.0.1"), "listening");
    return cutter;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The target's URL with this port. */
  get url(): string {
    return this.#target.replace(new URL(this.#target).host, `127.0.0.1:${this.port}`);
  }

  /** Plays a fault on every connection from now on, also on those that are open. */
  play(fault: Cut): void {
    this.#fault = fault;
    this.#left = fault.times ?? Infinity;
  }

  /** Breaks what stalls, and what would stall. */
  breakStalled(): void {
    if (this.#fault?.does === "stall") this.#fault = { ...this.#fault, does: "reset" };
    for (const socket of this.#stalled) socket.resetAndDestroy();
  }

  /** Carries everything from now on. */
  repair(): void {
    this.#fault = undefined;
    this.#isClosed = false;
  }

  /** Connections that are open carry nothing any more and don't end: they are half open. */
  silence(): void {
    for (const socket of this.#sockets) this.#stall(socket);
  }

  /** Ends every connection, and takes none until `repair`. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Leads new connections to another server. */
  aimAt(target: string): void {
    this.#target = target;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #accept(caller: Socket, waits: boolean): Promise<void> {
    this.#watch(caller);
    if (this.#isClosed) return void caller.destroy();
    for (;;) {
      const { hostname: host, port } = new URL(this.#target);
      const target = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
      this.#watch(target);
      if (await isConnected(target)) return this.#join(caller, target);
      if (!waits) return void caller.destroy();
      await sleep(RETRY_MS);
      if (caller.destroyed) return;
    }
  }

  #join(caller: Socket, target: Socket): void {
    if (caller.destroyed) return void target.destroy();
    const line: Line = { caller, target, answers: "pass" };
    this.#carry("up", line);
    this.#carry("down", line);
  }

  #watch(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#stalled.delete(socket);
    });
  }

  #carry(direction: "up" | "down", line: Line): void {
    const [from, to] = direction === "up" ? [line.caller, line.target] : [line.target, line.caller];
    const passed = { bytes: 0, lines: 0 };
    let isOver = false;
    from.on("data", (piece: Buffer) => {
      if (isOver || this.#stalled.has(from)) return;
      if (direction === "up") this.upBytes += piece.byteLength;
      else if (line.answers === "drop") return;
      else if (line.answers === "end") return this.#end(line);
      const fault = this.#left > 0 ? this.#fault : undefined;
      const isWatched = fault !== undefined && (fault.direction ?? "up") === direction;
      const struckAt = isWatched ? bytesThatPass(fault.at, passed, piece) : undefined;
      const carried = struckAt === undefined ? piece : piece.subarray(0, struckAt);
      passed.bytes += carried.byteLength;
      passed.lines += carried.filter((byte) => byte === LINE_FEED).byteLength;
      if (fault === undefined || struckAt === undefined) this.#write(carried, from, to);
      else {
        this.#left -= 1;
        isOver = fault.does !== "lose answer";
        this.#strike(fault.does, carried, { from, to, line });
      }
    });
    const isSilent = () => direction === "down" && line.answers === "drop";
    from.on("end", () => void (isSilent() || to.end()));
    from.once("close", () => void (isSilent() || to.destroySoon()));
    from.resume();
  }

  #write(piece: Buffer, from: Socket, to: Socket): void {
    if (to.destroyed || to.write(piece)) return;
    from.pause();
    to.once("drain", () => {
      if (!this.#stalled.has(from)) from.resume();
    });
  }

  #strike(
    does: Cut["does"],
    carried: Buffer,
    { from, to, line }: { readonly from: Socket; readonly to: Socket; readonly line: Line },
  ): void {
    if (does === "stall") {
      to.write(carried);
      this.#stall(from);
    } else if (does === "lose answer") {
      to.write(carried);
      line.answers = "end";
    } else if (does === "end" && carried.byteLength === 0) this.#end(line);
    else if (does === "end") to.write(carried, () => this.#end(line));
    else if (does === "reset") {
      this.cuts += 1;
      line.answers = "drop";
      to.once("close", () => from.resetAndDestroy());
      to.end(carried);
    } else {
      this.cuts += 1;
      line.caller.end(does);
    }
  }

  #stall(socket: Socket): void {
    this.#stalled.add(socket);
    socket.pause();
  }

  #end({ caller, target }: Line): void {
    this.cuts += 1;
    caller.destroy();
    target.destroy();
  }
}

async function isConnected(socket: Socket): Promise<boolean> {
  return once(socket, "connect").then(
    () => true,
    () => false,
  );
}

/** Counts the bytes of the piece that still pass; undefined if the fault doesn't strike in it. */
function bytesThatPass(
  at: Cut["at"],
  passed: { readonly bytes: number; readonly lines: number },
  piece: Buffer,
): number | undefined {
  if ("bytes" in at)
    return passed.bytes + piece.byteLength >= at.bytes ? piece.byteLength : undefined;
  if ("text" in at) {
    if (!piece.includes(at.text)) return undefined;
    return at.isHeldBack === true ? 0 : piece.byteLength;
  }
  let end = 0;
  for (let left = at.lines - passed.lines; left > 0; left -= 1) {
    const feed = piece.indexOf(LINE_FEED, end);
    if (feed === -1) return undefined;
    end = feed + 1;
  }
  if (!at.isMidLine) return end;
  return end === piece.byteLength ? undefined : end + Math.ceil((piece.byteLength - end) / 2);
}
