import { manifestFor, SOUNDS } from "./vector-world.ts";
import {
  type Answer,
  bytesOf,
  type Exchange,
  type ForeignAnswer,
  type ForeignPart,
  type Instead,
  sha256Of,
  type Vector,
} from "./vector.ts";

const PAGE = "<!doctype html><title>Sign in</title><h1>Welcome to our Wi-Fi</h1>";
const HTML = { "content-type": "text/html" };
const JSON_TYPE = { "content-type": "application/json" };

function foreign(
  name: string,
  status: number,
  body: string,
  headers: Answer["headers"] = body.startsWith("{") ? JSON_TYPE : HTML,
): ForeignAnswer {
  // A gateway that can't reach the relay is no other server: waiting helps.
  const first = status >= 502 && status <= 504 ? null : "NOT_A_RELAY";
  return { name, answer: { status, headers, body }, first };
}

const page = (status: number, headers: Answer["headers"] = {}): ForeignAnswer =>
  foreign(`a page with ${status}`, status, PAGE, { ...HTML, ...headers });

const ANSWERS: readonly ForeignAnswer[] = [
  page(200),
  foreign("an empty JSON object", 200, "{}"),
  foreign("JSON of something else", 200, '{"status":"ok"}'),
  foreign("a JSON list", 200, "[]", JSON_TYPE),
  foreign("nothing", 204, "", {}),
  page(302, { location: "http://sign-in.example/" }),
  page(401),
  foreign("a refusal in JSON with 401", 401, '{"error":"Unauthorized"}'),
  page(403),
  page(404),
  foreign("a refusal in JSON with 404", 404, '{"error":"Not found"}'),
  page(405),
  page(407, { "proxy-authenticate": "Basic" }),
  page(409),
  page(413),
  page(429, { "retry-after": "3600" }),
  page(500),
  page(502),
  page(503, { "retry-after": "3" }),
  page(511),
];

/** A relay that knows only the public specification: no mark, no codes, and success without members. */
const DONE: Answer = { status: 200, headers: JSON_TYPE, body: {} };
const refused = (status: number, error: string): Answer => ({
  status,
  headers: JSON_TYPE,
  body: { error },
});
const unmarked = (status: number, body: object): Answer => ({ status, headers: JSON_TYPE, body });
const MARK = { "soundferry-relay": "1" };

function exchange(
  method: string,
  path: string,
  answer: Answer,
  body?: Exchange["request"]["body"],
  need: Exchange["need"] = "must",
): Exchange {
  return { need, request: { method, path, headers: {}, ...(body && { body }) }, answer };
}

/** The two questions whose answers the specification fixes, and only a relay's can be. */
const questions = (headers: Answer["headers"] = {}): readonly Exchange[] => [
  exchange("GET", "/app/me", {
    status: 401,
    headers: { ...JSON_TYPE, ...headers },
    body: { error: "No token." },
  }),
  exchange(
    "POST",
    "/pair/claim",
    { status: 400, headers: { ...JSON_TYPE, ...headers }, body: { error: "code is missing." } },
    { json: {} },
  ),
];

const STATUS = "/packages/pkg_1/status";
const COMMIT = exchange("POST", "/packages/pkg_1/commit", DONE);
const ME = { device_name: "Studio", app_name: "Looper", paired_at: "2026-01-31T12:00:00.000Z" };
const me = (answer: Answer, need: Exchange["need"] = "must"): Exchange => {
  const { request } = exchange("GET", "/app/me", answer);
  const headers = { authorization: "Bearer sfa_the-token-of-these-vectors" };
  return { need, request: { ...request, headers }, answer };
};

const UPLOADING: Instead = {
  method: "GET",
  path: STATUS,
  answer: unmarked(200, { status: "uploading" }),
};

function sendOf(sound: keyof typeof SOUNDS, commits: readonly Exchange[], more: object): Vector {
  const path = `/packages/pkg_1/files/${sound}`;
  const { items } = manifestFor([sound]) as { items: object[] };
  const manifest = { schema: "app2host/1", title: "Take one", source: { app: "Looper" }, items };
  const bytes = { sha256: sha256Of(bytesOf(SOUNDS[sound])) };
  return {
    name: "sends a sound",
    act: { call: "send", title: "Take one", sound, key: "send" },
    exchanges: [
      me(unmarked(200, ME), "may"),
      exchange(
        "POST",
        "/packages",
        unmarked(201, { package_id: "pkg_1", upload: { [sound]: path }, warnings: [] }),
        { json: manifest },
      ),
      exchange("HEAD", path, { status: 404, headers: {} }, undefined, "may"),
      exchange("PUT", path, DONE, bytes),
      ...commits,
    ],
    // A client that sends under its app's key may ask what has arrived.
    instead: [UPLOADING],
    result: { package_id: "pkg_1", warnings: [] },
    keepsToken: true,
    ...more,
  };
}

const WAITS = exchange("GET", STATUS, unmarked(200, { status: "waiting" }));
const VECTORS: readonly Vector[] = [
  {
    name: "a code that was used",
    act: { call: "pair", code: "K7M Q2X" },
    exchanges: [
      exchange("POST", "/pair/claim", refused(404, "This code was used."), {
        json: { code: "K7M Q2X", app_name: "Looper", app_id: "looper-1" },
      }),
      ...questions(),
    ],
    error: { status: 404, message: "This code was used." },
    keepsToken: true,
  },
  {
    name: "a token that was revoked",
    act: { call: "me" },
    exchanges: [me(refused(401, "Pair again.")), ...questions()],
    error: { status: 401, message: "Pair again." },
    keepsToken: false,
  },
  {
    name: "commits, and reads the status",
    act: { call: "commit", packageId: "pkg_1" },
    exchanges: [COMMIT, WAITS],
    keepsToken: true,
  },
  {
    name: "a commit that the relay doesn't have",
    act: { call: "commit", packageId: "pkg_1" },
    exchanges: [COMMIT, exchange("GET", STATUS, unmarked(200, { status: "uploading" }))],
    error: { code: "FOREIGN_ANSWER" },
    keepsToken: true,
  },
  {
    name: "withdraws, and reads the status",
    act: { call: "withdraw", packageId: "pkg_1" },
    exchanges: [
      exchange("DELETE", "/packages/pkg_1", DONE),
      exchange("GET", STATUS, refused(404, "There is no such package.")),
      ...questions(),
    ],
    keepsToken: true,
  },
  {
    name: "a withdrawal that the relay doesn't have",
    act: { call: "withdraw", packageId: "pkg_1" },
    exchanges: [exchange("DELETE", "/packages/pkg_1", DONE), WAITS],
    error: { code: "FOREIGN_ANSWER" },
    keepsToken: true,
  },
  {
    name: "unpairs, and reads the pairing",
    act: { call: "unpair" },
    exchanges: [
      exchange("POST", "/app/unpair", { status: 200, headers: {} }),
      me(refused(401, "Pair again.")),
      ...questions(),
    ],
    keepsToken: false,
  },
  {
    name: "an unpairing that the relay doesn't have",
    act: { call: "unpair" },
    exchanges: [exchange("POST", "/app/unpair", DONE), me(unmarked(200, ME))],
    error: { code: "FOREIGN_ANSWER" },
    keepsToken: true,
  },
  sendOf("kick.wav", [COMMIT, WAITS], {}),
  sendOf("long.wav", [COMMIT, WAITS], { name: "sends a long sound whole" }),
  sendOf("kick.wav", [COMMIT, { ...WAITS, answer: unmarked(200, { status: "imported" }) }], {
    name: "a package that was imported at once",
  }),
  sendOf("kick.wav", [COMMIT, WAITS], {
    name: "a sound that the commit finds missing is sent again",
    instead: [
      { method: "POST", path: COMMIT.request.path, answer: refused(409, "Missing: kick.wav") },
      UPLOADING,
      UPLOADING,
      UPLOADING,
    ],
  }),
  {
    name: "a foreign 401 before the first answer of a relay with a mark",
    act: { call: "me" },
    exchanges: [
      me(DONE, "may"),
      ...questions(MARK).map((one) => ({ ...one, need: "may" as const })),
    ],
    instead: [{ method: "GET", path: "/app/me", answer: refused(401, "Unauthorized") }],
    error: { code: "FOREIGN_ANSWER" },
    keepsToken: true,
  },
];

/** The vectors that are tried with foreign answers. */
const CALLS = [
  "announces a package",
  "uploads a file",
  "sends a sound",
  "resumes a file of which the relay has the beginning",
  "commits",
  "a package waits",
  "withdraws",
  "the paired computer",
  "pairs",
  "unpairs",
];

export const FOREIGN: ForeignPart = { answers: ANSWERS, calls: CALLS, vectors: VECTORS };
