import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { RELAY_MARK } from "../../../core/protocol/relay-mark.ts";
import { importablePackage } from "./packages-to-import.ts";
import { smallWav } from "../../wav-bytes.ts";

/** The answer of a hostile relay to a call; undefined for one like any relay's. */
type Attack = (
  call: { readonly path: string; readonly after: string },
  answer: ServerResponse,
) => true | undefined;

const idOf = (text: string) => `pkg_${text.padEnd(22, "_")}`;
const SOUND = { file: "1.wav", name: "Kick", wav: smallWav() };

function listed(base: string, id: string, more: object = {}) {
  const folder = `/importer/packages/${id}/files/`;
  return {
    ...importablePackage(id, `Kit at ${base}`, { sounds: [SOUND], folder }),
    version: 1,
    ...more,
  };
}

const LIST = "/importer/packages";
const FULL = "x".repeat(9000);

/** Each attack by the path of its relay. */
const ATTACKS: Readonly<Record<string, Attack>> = {
  pages: ({ path, after }, answer) =>
    path === LIST
      ? json(answer, {
          packages: Array.from({ length: 100 }, (_, at) =>
            listed("pages", idOf(`${after}-${at}`), { more: FULL }),
          ),
          next: String(Number(after) + 1),
        })
      : undefined,
  values: ({ path }, answer) =>
    path === LIST
      ? json(answer, {
          packages: [],
          next: null,
          more: Array.from({ length: 650_000 }, () => ({})),
        })
      : undefined,
  results: ({ path, after }, answer) => {
    const error = "y".repeat(60_000);
    const id = new RegExp(`^${LIST}/(pkg_[\\w-]+)$`).exec(path)?.[1];
    if (id !== undefined) {
      const results = { 1: { status: "failed", error } };
      return json(answer, listed("results", id, { status: "failed", results }));
    }
    if (path !== LIST) return undefined;
    const packages = Array.from({ length: 100 }, (_, at) =>
      listed("results", idOf(`r${after}-${at}`), { status: "failed" }),
    );
    return json(answer, { packages, next: `${after}1` });
  },
  ids: ({ path }, answer) =>
    path === LIST
      ? json(answer, {
          packages: ["/etc", "../x", "\\\\host\\share", "C:\\x", "z".repeat(1_000_000)].map((id) =>
            Object.assign(listed("ids", idOf("x")), { package_id: id }),
          ),
          next: null,
        })
      : undefined,
  hello: ({ path }, answer) => (path === "/importer/hello" ? endless(answer) : undefined),
  register: ({ path }, answer) => (path === "/importer/register" ? endless(answer) : undefined),
  apps: ({ path }, answer) => (path === "/importer/apps" ? endless(answer) : undefined),
  list: ({ path }, answer) => (path === LIST ? endless(answer) : undefined),
  errors: ({ path }, answer) => (path === LIST ? endless(answer, 500) : undefined),
  waits: ({ path }, answer) =>
    path === LIST
      ? json(answer, { error: "z".repeat(1_000_000) }, 429, { "retry-after": "31536000" })
      : undefined,
  headers: ({ path }, answer) => {
    if (path !== LIST) return undefined;
    const { socket } = answer;
    socket?.write("HTTP/1.1 200 OK\r\n");
    pour(socket, `x-more: ${"y".repeat(60_000)}\r\n`);
    return true;
  },
  redirects: ({ path }, answer) => {
    if (path !== LIST) return undefined;
    answer.writeHead(302, { location: "/importer/packages", [RELAY_MARK.name]: RELAY_MARK.value });
    answer.end();
    return true;
  },
  download: ({ path }, answer) => {
    if (path === LIST)
      return json(answer, { packages: [listed("download", idOf("d"))], next: null });
    return path.endsWith(".wav") ? endless(answer) : undefined;
  },
  messages: () => undefined,
  pings: () => undefined,
};

/** Starts a server on which each hostile relay has a path of its own. @returns their base addresses */
export async function startHostileRelays(): Promise<readonly string[]> {
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on("headers", (headers) => headers.push(`${RELAY_MARK.name}: ${RELAY_MARK.value}`));
  const server = createServer((request, response) => void serve(request, response));
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => connections.delete(socket));
  });
  server.on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (opened) => {
      const base = request.url?.split("/")[1];
      if (base !== "messages" && base !== "pings") return;
      // It sends on, and reads nothing.
      opened.pause();
      const send = (): void => {
        for (let sent = 0; sent < 1000 && opened.readyState === opened.OPEN; sent += 1) {
          const next = sent === 999 ? () => setImmediate(send) : undefined;
          if (base === "pings") opened.ping("x", false, next);
          else opened.send('{"type":"packages.changed"}', next);
        }
      };
      send();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const connection of connections) connection.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return Object.keys(ATTACKS).map((base) => `http://127.0.0.1:${port}/${base}`);
}

async function serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://relay.example");
  const [, base = "", ...rest] = pathname.split("/");
  const path = `/${rest.join("/")}`;
  request.resume();
  if (ATTACKS[base]?.({ path, after: searchParams.get("after") ?? "" }, answer) === true) return;
  const times = { expires_at: "2026-11-21T12:00:00.000Z", expires_in: 300 };
  const answers: Readonly<Record<string, object>> = {
    "/importer/hello": {
      service: "soundferry",
      version: "9",
      importer_api: [1, 2],
      instance: base,
    },
    "/importer/register": { device_id: `dev_${base}`, importer_token: `sfi_${base}` },
    "/importer/apps": { apps: [] },
    "/importer/packages": { packages: [], next: null },
    "/importer/pairing-code": { code: "K7MQ2X", ...times },
    "/importer/pairing-request": { request: null },
  };
  json(answer, answers[path] ?? times);
}

function json(
  answer: ServerResponse,
  body: object,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): true {
  const headers = {
    "content-type": "application/json",
    [RELAY_MARK.name]: RELAY_MARK.value,
    ...more,
  };
  answer.writeHead(status, headers);
  answer.end(JSON.stringify(body));
  return true;
}

function endless(answer: ServerResponse, status = 200): true {
  answer.writeHead(status, {
    [RELAY_MARK.name]: RELAY_MARK.value,
    "content-type": "application/octet-stream",
  });
  pour(answer, "x".repeat(65_536));
  return true;
}

/** Writes a text again and again, as fast as the other side reads, until it hangs up. */
function pour(into: Socket | ServerResponse | null, text: string): void {
  if (into === null || into.destroyed) return;
  into.write(text, (error) => {
    if (error === undefined || error === null) setImmediate(() => pour(into, text));
  });
}
