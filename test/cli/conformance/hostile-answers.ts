import type { Writable } from "node:stream";
import { gzipSync } from "node:zlib";
import { type AnswerBadly, answerWell, drip, keepSecrets } from "./hostile-relay.ts";

const LEVELS = 20_000;
const FULL = 2 ** 21;
const TYPE = { "content-type": "application/json" };
const ODD_IDS = ["..", "/../x", "a b", "", "\uD800", "x\r\ny", 7, null, [], {}, "/".repeat(70_000)];
let turn = 0;

/** Every kind of bad answer, by what it is. */
export const ANSWERS = {
  "a body without an end": (response) => {
    response.writeHead(200, TYPE);
    writeOn(response, () => response.write(Buffer.alloc(65_536, 32)));
  },
  "a drip": (response) => {
    response.writeHead(200, TYPE);
    drip(response, () => response.write(" "));
  },
  "a drip of headers": (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\nx-more: ");
    drip(response, () => response.socket?.write("y"));
  },
  "two MiB in pieces of a byte": (response) => {
    response.writeHead(200, { ...TYPE, "transfer-encoding": "chunked" }).flushHeaders();
    response.socket?.end(`${"1\r\n7\r\n".repeat(FULL)}0\r\n\r\n`);
  },
  "20,000 lists": send(200, `${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}`),
  "20,000 objects": send(200, `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`),
  "700,000 empty objects": send(200, `[${"{},".repeat(FULL / 3 - 10)}{}]`),
  "a page": send(200, "<!doctype html><title>Hi</title>", { "content-type": "text/html" }),
  nothing: send(200, ""),
  null: send(200, "null"),
  "a list": send(200, "[1]"),
  "a number": send(200, "7"),
  "a text": send(200, '"yes"'),
  "bytes that are no text": send(200, Buffer.from([0xff, 0xfe, 0, 0xc3])),
  "compressed bytes": send(200, gzipSync('{"a":1}'), { "content-encoding": "gzip" }),
  "a redirect to itself": (response, { path }) =>
    void response.writeHead(307, { location: path }).end(),
  "a length that is too long": (response) => {
    response.socket?.end("HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{}");
  },
  "a length that is too short": (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n{} and more");
  },
  "a length that is no number": (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\ncontent-length: NaN\r\n\r\n{}");
  },
  "no answer": () => {},
  "a closed connection": (response) => void response.destroy(),
  "a body that breaks off": (response) => {
    response.writeHead(200, { ...TYPE, "content-length": "90" }).write('{"a":');
    setImmediate(() => response.socket?.resetAndDestroy());
  },
  "a flood of 1xx": (response) => {
    const { socket } = response;
    if (socket !== null) {
      writeOn(socket, () => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(50)));
    }
  },
  "a megabyte of headers": (response) => {
    const more = Array.from({ length: 100 }, (_, at) => `x-${at}: ${"y".repeat(10_000)}\r\n`);
    response.socket?.write(`HTTP/1.1 200 OK\r\n${more.join("")}\r\n{}`);
  },
  "101": (response) => {
    response.socket?.write(
      "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nnoise",
    );
  },
  "101 to nothing": (response) => void response.socket?.write("HTTP/1.1 101 Switching\r\n\r\n"),
  "204 with a body": (response) => {
    response.socket?.write("HTTP/1.1 204 No Content\r\n\r\n{}{}{}");
  },
  "no HTTP": (response) => void response.socket?.end("SSH-2.0-OpenSSH\r\n"),
  "status 0": (response) => response.socket?.end("HTTP/1.1 000 Zero\r\n\r\n{}"),
  "status 999": (response) => response.socket?.end("HTTP/1.1 999 Much\r\n\r\n{}"),
  ...Object.fromEntries(
    ["0", "-1", "1", "0.5", "1e9", "1e999", "NaN", "", "Mon, 30 Nov 2026 02:00:00 GMT"].map(
      (after) => [
        `always 429, Retry-After "${after}"`,
        send(429, '{"error":"Too many."}', { "retry-after": after }),
      ],
    ),
  ),
  "always 429 without Retry-After": send(429, '{"error":"Too many."}'),
  "always 503": send(503, '{"error":"Busy."}', { "retry-after": "1" }),
  "always 500 with an odd error": send(500, '{"error":{"error":[]},"code":7}'),
  "pages without end": change((json) => ({ ...json, next: "more" })),
  "large pages without end": change((json) => ({
    ...json,
    packages: [Array.from({ length: 500_000 }, () => 0)],
    next: "more",
  })),
  "cursors that can't be sent": change((json) => ({ ...json, next: "\uD800" })),
  "tokens with line breaks": tokens((token) => `${token}\r\nx: y`),
  "tokens beyond ASCII": tokens((token) => `${token}\u3042`),
  "tokens of a megabyte": tokens((token) => token.padEnd(2 ** 20, "x")),
  "tokens that are no text": change((json) =>
    Object.fromEntries(Object.keys(json).map((name) => [name, { toString: 1 }])),
  ),
  "ids that are none": change((json) => {
    turn += 1;
    return "package_id" in json ? { ...json, package_id: ODD_IDS[turn % ODD_IDS.length] } : json;
  }),
  "upload paths of every kind": change((json) => {
    turn += 1;
    const path = [..."a b|http://192.0.2.1/x|//192.0.2.1/x|\u3042|/a\r\nb|".split("|"), 7, {}];
    const upload = "upload" in json ? Object.keys(Object(json.upload)) : [];
    return { ...json, upload: Object.fromEntries(upload.map((f) => [f, path[turn % 8]])) };
  }),
  "what it was sent, as the error": (response, { authorization, body }) => {
    const error = `No ${authorization}, ${body.slice(0, 60)}`;
    response.writeHead(400, TYPE).end(JSON.stringify({ error, code: authorization }));
  },
  "what it was sent, in its success": change((json, authorization) => ({
    ...json,
    status: authorization,
    expires_in: authorization,
    error: authorization,
  })),
} as const satisfies Readonly<Record<string, AnswerBadly>>;

function send(status: number, body: string | Buffer, headers: object = {}): AnswerBadly {
  return (response) => void response.writeHead(status, { ...TYPE, ...headers }).end(body);
}

/** Answers as a relay does, except for a part of it. */
function change(alter: (json: object, authorization: string) => object): AnswerBadly {
  return (response, call, relay) => {
    answerWell(response, { ...call, json: alter(call.json, call.authorization) }, relay);
    keepSecrets(call.json, relay.secrets);
  };
}

function tokens(alter: (token: string) => string): AnswerBadly {
  return change((json) =>
    Object.fromEntries(
      Object.entries(json).map(([name, value]) => [
        name,
        /token$|^code$/.test(name) ? alter(String(value)) : value,
      ]),
    ),
  );
}

/** Writes for as long as somebody reads. */
function writeOn(to: Writable, write: () => boolean): void {
  if (to.destroyed) return;
  if (write()) setImmediate(writeOn, to, write);
  else to.once("drain", () => writeOn(to, write));
}
