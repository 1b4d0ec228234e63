import { once } from "node:events";
import { lstat, mkdir, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The socket by which `--stop` finds what a user has started on this machine. */
async function socketPath(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const folder = join(process.env["XDG_RUNTIME_DIR"] ?? tmpdir(), `soundferry-dev-scaled-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== uid) throw new Error(`${folder} is somebody else's.`);
  return join(folder, "control.sock");
}

/** Asks what runs to stop, and waits until it has. Returns false if nothing runs. */
export async function askToStop(): Promise<boolean> {
  const socket = connect(await socketPath());
  const isThere = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  if (!isThere) return false;
  socket.resume().end("stop");
  await once(socket, "close");
  return true;
}

/** A caller that asks to stop waits until this is disposed. */
export interface ControlSocket extends AsyncDisposable {
  readonly stopAsked: AbortSignal;
}

/** @throws if another one of this user runs already */
export async function openControlSocket(): Promise<ControlSocket> {
  const path = await socketPath();
  const running = connect(path);
  const isTaken = await once(running, "connect").then(
    () => true,
    () => false,
  );
  running.destroy();
  if (isTaken) throw new Error("It runs already. To stop it: npm run dev:scaled -- --stop");
  await rm(path, { force: true });
  const stop = new AbortController();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => undefined);
    socket.setEncoding("utf8").on("data", (words: string) => {
      if (words === "stop") stop.abort();
      asking.add(socket);
    });
  });
  const asking = new Set<{ end(): void }>();
  await once(server.listen(path), "listening");
  return {
    stopAsked: stop.signal,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of asking) socket.end();
      await rm(path, { force: true });
    },
  };
}
