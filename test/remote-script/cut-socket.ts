import type { Buffer } from "node:buffer";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { PORT_FILE } from "../../addon/hosts/live/remote-script/find-control-surface.ts";

const LINE_FEED = 0x0a;

export interface Cut {
  /** `up` is from the importer to Live. */
  readonly direction: "up" | "down";
  /** Lines that get through. */
  readonly lines: number;
  /** Half of the next line gets through too. */
  readonly isMidLine: boolean;
}

export interface CuttingRelay {
  /** Has a port file that leads through here. */
  readonly folder: string;
  /** Whether the first connection was cut. */
  readonly hasCut: () => boolean;
  /** Cuts all connections and takes no more. */
  readonly close: () => void;
}

/** Stands between importer and control surface, and cuts the first connection once. */
export async function cutFirstConnection(folder: string, cut: Cut): Promise<CuttingRelay> {
  let [connections, hasCut] = [0, false];
  const sockets = new Set<Socket>();
  const server = createServer(async (near) => {
    connections += 1;
    const isFirst = connections === 1;
    const { port } = await readPortFile(folder);
    const far = connect({ host: "127.0.0.1", port });
    const end = () => void [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) sockets.add(socket);
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
    const forward = (from: Socket, to: Socket, direction: Cut["direction"]) => {
      const passes = isFirst && cut.direction === direction ? limited(cut) : pass;
      from.on("data", (bytes: Buffer) => {
        const [letThrough, isOver] = passes(bytes);
        to.write(letThrough, () => isOver && end());
        hasCut ||= isOver;
      });
    };
    forward(near, far, "up");
    forward(far, near, "down");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(close);
  const through = join(folder, `through-${(server.address() as AddressInfo).port}`);
  await mkdir(through);
  const there = { ...(await readPortFile(folder)), port: (server.address() as AddressInfo).port };
  await writeFile(join(through, PORT_FILE), JSON.stringify(there));
  return { folder: through, hasCut: () => hasCut, close };
}

/** The control surface's port and secret. */
export async function readPortFile(folder: string): Promise<{ port: number; secret: string }> {
  return JSON.parse(await readFile(join(folder, PORT_FILE), "utf8")) as {
    port: number;
    secret: string;
  };
}

type Pass = (bytes: Buffer) => readonly [letThrough: Buffer, isOver: boolean];

function pass(bytes: Buffer): ReturnType<Pass> {
  return [bytes, false];
}

function limited({ lines, isMidLine }: Cut): Pass {
  let left = lines;
  return (bytes) => {
    let end = 0;
    for (; left > 0; left -= 1) {
      const feed = bytes.indexOf(LINE_FEED, end);
      if (feed === -1) return [bytes, false];
      end = feed + 1;
    }
    if (!isMidLine) return [bytes.subarray(0, end), true];
    if (end === bytes.length) return [bytes, false];
    return [bytes.subarray(0, end + Math.ceil((bytes.length - end) / 2)), true];
  };
}
