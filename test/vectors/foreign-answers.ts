import { manifestFor, SOUNDS } from "./vector-world.ts";
import {
  type Answer,
  bytesOf,
  type Exchange,
  type ForeignAnswer,
  type ForeignPart,
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
  headers: Answer["headers"] = JSON_TYPE,
): ForeignAnswer {
  return { name, answer: { status, headers, body }, first: firstCodeOf(status) };
}

function firstCodeOf(status: number): ForeignAnswer["first"] {
  // A gateway that can't reach the relay is no other server: waiting helps.
  if (status >= 502 && status <= 504) return "RELAY_TROUBLE";
  return status >= 300 && status <= 399 ? "REDIRECTED" : "NOT_A_RELAY";
}

const page = (status: number, headers: Answer["headers"] = {}): ForeignAnswer =>
  foreign(`a page with ${status}`, status, PAGE, { ...HTML, ...headers });

const ANSWERS: readonly ForeignAnswer[] = [
  page(200),
  foreign("an empty JSON object", 200, "{}"),
  foreign("JSON of something else", 200, '{"status":"ok"}'),
  foreign("a JSON list", 200, "[]"),
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

// A relay that knows only the public specification: no mark, no codes, and success without members.

const said = (status: number, body: object): Answer => ({ status, headers: JSON_TYPE, body });
const DONE = said(200, {});
const UNPAIRED = said(401, { error: "Pair again." });

/** @param call method and path */
function exchange(
  call: string,
  answer: Answer,
  { need = "must", headers = {}, ...more }: Partial<Exchange & Exchange["request"]> = {},
): Exchange {
  const [method = "", path = ""] = call.split(" ");
  return { need, request: { method, path, headers, ...more }, answer };
}

/** Somebody answers one request before the relay does. */
const instead = (call: string, answer: Answer) => {
  const [method = "", path = ""] = call.split(" ");
  return { method, path, answer };
};

const me = (answer: Answer, need: Exchange["need"] = "must"): Exchange =>
  exchange("GET /app/me", answer, {
    need,
    headers: { authorization: "Bearer sfa_the-token-of-these-vectors" },
  });

/** The two questions to which the specification fixes the answers. */
const QUESTIONS: readonly Exchange[] = [
  exchange("GET /app/me", said(401, { error: "No token." })),
  exchange("POST /pair/claim", said(400, { error: "code is missing." }), { body: { json: {} } }),
];

const READ = "GET /packages/pkg_1/status";
const COMMIT = exchange("POST /packages/pkg_1/commit", DONE);
const WITHDRAW = exchange("DELETE /packages/pkg_1", DONE);
const UNPAIR = exchange("POST /app/unpair", { status: 200, headers: {} });
const WAITS = exchange(READ, said(200, { status: "waiting" }));
const UPLOADING = said(200, { status: "uploading" });
const UNKNOWN = exchange(READ, said(404, { error: "There is no such package." }));
const ME = { device_name: "Studio", app_name: "Looper", paired_at: "2026-01-31T12:00:00.000Z" };
const NOT_DONE = { error: { code: "FOREIGN_ANSWER" }, keepsToken: true };

function sendOf(
  name: string,
  sound: keyof typeof SOUNDS,
  last: readonly Exchange[],
  first: Vector["instead"] = [],
): Vector {
  const path = `/packages/pkg_1/files/${sound}`;
  const json = { ...manifestFor([sound], { title: "Take one" }) };
  const announced = { package_id: "pkg_1", upload: { [sound]: path }, warnings: [] };
  return {
    name,
    act: { call: "send", title: "Take one", sound, key: "send" },
    exchanges: [
      me(said(200, ME), "may"),
      exchange("POST /packages", said(201, announced), { body: { json } }),
      exchange(`HEAD ${path}`, { status: 404, headers: {} }, { need: "may" }),
      exchange(`PUT ${path}`, DONE, { body: { sha256: sha256Of(bytesOf(SOUNDS[sound])) } }),
      COMMIT,
      ...last,
    ],
    // A client that sends under its app's key may ask what has arrived.
    instead: [instead(READ, UPLOADING), ...first],
    result: { package_id: "pkg_1", warnings: [] },
    keepsToken: true,
  };
}

const VECTORS: readonly Vector[] = [
  {
    name: "a code that was used",
    act: { call: "pair", code: "K7M Q2X" },
    exchanges: [
      exchange("POST /pair/claim", said(404, { error: "This code was used." }), {
        body: { json: { code: "K7MQ2X", app_name: "Looper", app_id: "looper-1" } },
      }),
      ...QUESTIONS,
    ],
    error: { status: 404, message: "This code was used." },
    keepsToken: true,
  },
  {
    name: "a token that was revoked",
    act: { call: "me" },
    exchanges: [me(UNPAIRED), ...QUESTIONS],
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
    exchanges: [COMMIT, exchange(READ, UPLOADING)],
    ...NOT_DONE,
  },
  {
    name: "withdraws, and reads the status",
    act: { call: "withdraw", packageId: "pkg_1" },
    exchanges: [WITHDRAW, UNKNOWN, ...QUESTIONS],
    keepsToken: true,
  },
  {
    name: "a withdrawal that the relay doesn't have",
    act: { call: "withdraw", packageId: "pkg_1" },
    exchanges: [WITHDRAW, WAITS],
    ...NOT_DONE,
  },
  {
    name: "unpairs, and reads the pairing",
    act: { call: "unpair" },
    exchanges: [UNPAIR, me(UNPAIRED), ...QUESTIONS],
    keepsToken: false,
  },
  {
    name: "an unpairing that the relay doesn't have",
    act: { call: "unpair" },
    exchanges: [UNPAIR, me(said(200, ME))],
    ...NOT_DONE,
  },
  sendOf("sends a sound", "kick.wav", [WAITS]),
  sendOf("sends a long sound whole", "long.wav", [WAITS]),
  sendOf("a package that was imported at once", "kick.wav", [
    exchange(READ, said(200, { status: "imported" })),
  ]),
  sendOf(
    "a sound that the commit finds missing is sent again",
    "kick.wav",
    [WAITS],
    [
      instead("POST /packages/pkg_1/commit", said(409, { error: "Missing: kick.wav" })),
      instead(READ, UPLOADING),
      instead(READ, UPLOADING),
    ],
  ),
  {
    name: "a server whose second answer is no relay's",
    act: { call: "me" },
    exchanges: [
      me(UNPAIRED),
      ...QUESTIONS.slice(0, 1),
      exchange("POST /pair/claim", said(504, { error: "Timeout" }), { body: { json: {} } }),
    ],
    error: { code: "NOT_A_RELAY" },
    keepsToken: true,
  },
  {
    name: "a foreign 401 before the first answer of a relay with a mark",
    act: { call: "me" },
    exchanges: [
      exchange(
        "GET /app/me",
        { ...UNPAIRED, headers: { "soundferry-relay": "1" } },
        { need: "may" },
      ),
      exchange(
        "POST /pair/claim",
        { ...UNPAIRED, headers: { "soundferry-relay": "1" } },
        { need: "may" },
      ),
    ],
    instead: [instead("GET /app/me", said(401, { error: "Unauthorized" }))],
    ...NOT_DONE,
  },
];

/** Answers of somebody in the relay's place (rule W41). */
export const FOREIGN: ForeignPart = { answers: ANSWERS, calls: CALLS, vectors: VECTORS };
