import {
  ANNOUNCE,
  answers,
  COMMIT,
  forgets,
  members,
  readAhead,
  refuses,
  type SpecFault,
  STATUS,
  UPLOAD,
  withBody,
  WITHDRAW,
} from "./fault.ts";
import { isObject } from "./judge.ts";

const errorText = (body: unknown) => (isObject(body) ? String(body["error"]) : "");

const CREATED: readonly SpecFault[] = [
  {
    name: "keeps the app's package_id",
    says: "2.2 The server gives every package its own id",
    around: (next) => {
      const own = new Map<string, string>();
      return async (asked) => {
        const [, , id = ""] = asked.path.split("/");
        const known = own.get(id);
        if (known) return await next({ ...asked, path: asked.path.replace(id, known) });
        if (!ANNOUNCE(asked)) return await next(asked);
        const { call, body } = await readAhead(asked);
        const wanted = isObject(body) ? body["package_id"] : undefined;
        const reply = await next(call);
        if (reply.status !== 201 || typeof wanted !== "string" || !isObject(reply.body))
          return reply;
        const made = String(reply.body["package_id"]);
        own.set(wanted, made);
        const text = JSON.stringify(reply.body).replaceAll(made, wanted);
        return { ...reply, body: JSON.parse(text) as unknown };
      };
    },
  },
  {
    name: "one file of many has a path",
    says: "2.2 upload: one key per file name of the manifest",
    around: (next) => async (call) => {
      const reply = await next(call);
      if (!ANNOUNCE(call) || !isObject(reply.body) || !isObject(reply.body["upload"])) return reply;
      const upload = Object.fromEntries(Object.entries(reply.body["upload"]).slice(0, 1));
      return { ...reply, body: { ...reply.body, upload } };
    },
  },
  {
    name: "a path of another shape",
    says: "2.2 shaped /packages/<package_id>/files/<file>",
    around: (next) => async (asked) => {
      const reply = await next({ ...asked, path: asked.path.replace(/^\/store\//, "/packages/") });
      if (!ANNOUNCE(asked)) return reply;
      const text = JSON.stringify(reply.body).replaceAll('"/packages/', '"/store/');
      return { ...reply, body: JSON.parse(text) as unknown };
    },
  },
  members("no package_id", "2.2 package_id (string)", ANNOUNCE, () => ({ package_id: undefined })),
  members("a number as id", "2.2 package_id (string)", ANNOUNCE, () => ({ package_id: 17 })),
  members("no warnings", "2.2 warnings (array)", ANNOUNCE, () => ({ warnings: undefined })),
  members("warnings are a text", "2.2 warnings (array)", ANNOUNCE, ({ warnings }) => ({
    warnings: String(warnings),
  })),
  members("nothing is warned of", "2.5 the warning is in warnings", ANNOUNCE, () => ({
    warnings: [],
  })),
  answers("an announcement is 200", "2.2 POST /packages (status 201)", ANNOUNCE, (reply) => ({
    status: reply.status === 201 ? 200 : reply.status,
  })),
  {
    name: "checksums are compared as text",
    says: "2.4 sha256: 64 hex characters (either case)",
    around: (next) => {
      const shouting = new Set<string>();
      return async (asked) => {
        if (UPLOAD(asked) && shouting.has(asked.path))
          return await next(withBody(asked, Buffer.from("another sum")));
        if (!ANNOUNCE(asked)) return await next(asked);
        const { call, body } = await readAhead(asked);
        const reply = await next(call);
        const upload = isObject(reply.body) && isObject(reply.body["upload"]);
        if (upload && /"sha256": ?"[^"]*[A-F]/.test(JSON.stringify(body)))
          for (const [, path] of JSON.stringify(reply.body).matchAll(/"(\/packages\/[^"]*)"/g))
            shouting.add(path ?? "");
        return reply;
      };
    },
  },
];

const DELIVERY: readonly SpecFault[] = [
  forgets("upload size", "4 checked against the announced size"),
  forgets("upload checksum", "4 checked against the checksum"),
  forgets("upload header", "4 checked against the WAV header"),
  answers("an upload is 204", "4 PUT: 200", UPLOAD, ({ status }) => ({
    status: status === 200 ? 204 : status,
    ...(status === 200 && { body: undefined }),
  })),
  answers("an upload is 201", "4 PUT: 200", UPLOAD, ({ status }) => ({
    status: status === 200 ? 201 : status,
  })),
  refuses(
    "audio/wav is refused",
    "4 Content type audio/wav may be sent",
    UPLOAD,
    ({ headers }) => headers["content-type"] === "audio/wav",
    415,
  ),
  refuses(
    "an upload needs a type",
    "4 Content type audio/wav may be sent",
    UPLOAD,
    ({ headers }) => headers["content-type"] !== "audio/wav",
    415,
  ),
  answers("an unknown file is taken", "7 an unknown package or file", UPLOAD, ({ status }) => ({
    status: status === 404 ? 200 : status,
  })),
  answers(
    "an unknown package waits",
    "7 an unknown package or file",
    STATUS,
    (reply) => reply.status === 410 && { status: 200, body: { status: "waiting" } },
  ),
  forgets("commit missing", "3 a file is missing: unchanged, 409"),
  answers("a missing file is 422", "7 409: commit while files are missing", COMMIT, (reply) => ({
    status: reply.status === 409 ? 422 : reply.status,
  })),
  answers(
    "nothing missing is named",
    "7 The text names the missing files",
    COMMIT,
    (reply) => reply.status === 409 && { body: { error: "Some files are missing." } },
  ),
  answers(
    "one missing is named",
    "3 409 names the missing files",
    COMMIT,
    (reply) =>
      reply.status === 409 && { body: { error: errorText(reply.body).split(/,| and /)[0] } },
  ),
  {
    name: "a refused commit commits",
    says: "3 a file is missing: unchanged",
    around: (next) => {
      const committed = new Set<string>();
      return async (call) => {
        const id = call.path.split("/")[2] ?? "";
        const reply = await next(call);
        if (COMMIT(call) && reply.status === 409) committed.add(id);
        const isWaiting = STATUS(call) && reply.status === 200 && committed.has(id);
        return isWaiting ? { ...reply, body: { status: "waiting" } } : reply;
      };
    },
  },
  answers("a commit is 202", "4 POST commit: 200", COMMIT, ({ status }) => ({
    status: status === 200 ? 202 : status,
  })),
  refuses("a commit needs a body", "4 No body needed", COMMIT, (_, body) => body === "", 400),
  refuses(
    "a commit has no body",
    "4 an empty JSON object may be sent",
    COMMIT,
    (_, body) => isObject(body),
    400,
  ),
  members("ready for waiting", "3 one of these values", STATUS, ({ status }) => ({
    status: status === "waiting" ? "ready" : status,
  })),
  members("announced for uploading", "3 uploading", STATUS, ({ status }) => ({
    status: status === "uploading" ? "announced" : status,
  })),
  members("waits from the start", "3 uploading: Files are still being delivered", STATUS, () => ({
    status: "waiting",
  })),
  members("uploading to the end", "3 commit, every file is uploaded: waiting", STATUS, () => ({
    status: "uploading",
  })),
  members("a state for a status", "2.2 an object with status", STATUS, ({ status }) => ({
    status: undefined,
    state: status,
  })),
  {
    name: "a withdrawal needs a commit",
    says: "3 any, until it is in the host application",
    around: (next) => async (call) => {
      if (!WITHDRAW(call)) return await next(call);
      const status = await next({ ...call, method: "GET", path: `${call.path}/status` });
      const isEarly = isObject(status.body) && status.body["status"] === "uploading";
      return isEarly ? { ...status, status: 409, body: { error: "Commit first." } } : next(call);
    },
  },
  {
    name: "what waits stays",
    says: "4 Takes a package back, until it is in the host application",
    around: (next) => async (call) => {
      if (!WITHDRAW(call)) return await next(call);
      const status = await next({ ...call, method: "GET", path: `${call.path}/status` });
      const isLate = isObject(status.body) && status.body["status"] === "waiting";
      return isLate ? { ...status, status: 409, body: { error: "Too late." } } : next(call);
    },
  },
];

/** Faults in what follows an announcement: its answer, uploads, commit, status, taking back. */
export const PACKAGE_FAULTS: readonly SpecFault[] = [...CREATED, ...DELIVERY];
