import type { Answered, Asked, Fault } from "./breaking-proxy.ts";
import { becomes, FILE, forgive, is, PACKAGE, refusal, STATUS, CLAIM } from "./tools.ts";

const PART_TYPE = "application/partial-upload";
const HEAD_OR_APPEND = /^(HEAD|PATCH)$/;

/** Faults in uploads, also in parts (rule U10), and in what caches may keep. */
export const PART_FAULTS: readonly Fault[] = [
  part("an append without a content type that is taken", (asked) => {
    asked.headers["content-type"] ??= PART_TYPE;
  }),
  part("an append with any content type that is taken", (asked) => {
    if (asked.headers["content-type"] !== undefined) asked.headers["content-type"] = PART_TYPE;
  }),
  part("an append without Upload-Complete that is a part", (asked) => {
    asked.headers["upload-complete"] ??= "?0";
  }),
  part("any Upload-Complete that isn't ?1 as ?0", (asked) => {
    if (asked.headers["upload-complete"] !== "?1") asked.headers["upload-complete"] = "?0";
  }),
  part("an append without Upload-Offset that begins at 0", (asked) => {
    asked.headers["upload-offset"] ??= "0";
  }),
  part("a malformed Upload-Offset that is 0", (asked) => {
    const offset = Number.parseInt(String(asked.headers["upload-offset"]), 10);
    asked.headers["upload-offset"] &&= String(Math.max(0, offset || 0));
  }),
  part("versions that are not looked at", (asked) => {
    asked.headers["upload-draft-interop-version"] = "8";
  }),
  answers("no Upload-Limit on HEAD", "HEAD", ({ headers }) => delete headers["upload-limit"]),
  answers("no Upload-Limit on OPTIONS", "OPTIONS", ({ headers }) => delete headers["upload-limit"]),
  answers("an Upload-Limit without the time that is left", "HEAD", ({ headers }) => {
    headers["upload-limit"] = String(headers["upload-limit"]).replace(/, max-age.*/, "");
  }),
  answers("an Upload-Limit of any file's size", "HEAD", ({ headers }) => {
    headers["upload-limit"] = String(headers["upload-limit"]).replace(
      /max-size=\d+/,
      "max-size=209715200",
    );
  }),
  answers("no Upload-Length", "HEAD", ({ headers }) => delete headers["upload-length"]),
  answers("a HEAD that is 200", "HEAD", (answered) => {
    if (answered.status === 204) answered.status = 200;
  }),
  {
    ...answers(
      "a HEAD that caches may keep",
      "HEAD",
      ({ headers }) => delete headers["cache-control"],
    ),
    also: ["SEC1"],
  },
  answers(
    "a HEAD that never says ?1",
    "HEAD",
    ({ headers }) => (headers["upload-complete"] = "?0"),
  ),
  answers("an offset that is 0 until the end", "HEAD", ({ headers }) => {
    if (headers["upload-complete"] === "?0") headers["upload-offset"] = "0";
  }),
  answers("a part that is 200", "PATCH", (answered) => {
    if (answered.status === 204) becomes(answered, 200, {});
  }),
  answers(
    "a part without Upload-Offset in its answer",
    "PATCH",
    ({ headers }) => delete headers["upload-offset"],
  ),
  answers("a last part that is 204", "PATCH", (answered) => {
    if (answered.status === 200) answered.status = 204;
  }),
  answers("a 409 without expected-offset", "PATCH", ({ json }) => delete json?.["expected-offset"]),
  answers("a 409 with the offset that was sent", "PATCH", (answered, asked) => {
    if (answered.status === 409) answered.headers["upload-offset"] = asked.headers["upload-offset"];
  }),
  answers("a wrong offset that is 400", "PATCH", (answered) => {
    if (answered.status === 409) answered.status = 400;
  }),
  {
    ...fault("an append past the announced size that is taken"),
    answer: takePart(/^SIZE_DIFFERS$/),
  },
  {
    ...fault("parts that are not checked at the end"),
    answer: takePart(/^(SIZE_DIFFERS|CHECKSUM_DIFFERS|WAV_)/),
  },
  {
    ...fault("an offset that falls when an append breaks off"),
    plant: () => {
      const parts = new Map<string, number>();
      return {
        ask: (asked) => {
          if (is(asked, "PATCH", FILE)) parts.set(asked.path, (parts.get(asked.path) ?? 0) + 1);
          return undefined;
        },
        answer: ({ headers }, asked) => {
          const offset = Number(headers["upload-offset"]);
          const isBrokenOff = (parts.get(asked.path) ?? 0) === 2 && offset > 1 && offset < 200;
          if (asked.method === "HEAD" && isBrokenOff) headers["upload-offset"] = "1";
        },
      };
    },
  },
  {
    ...fault("a PUT that does not end a partial file"),
    plant: () => {
      const begun = new Set<string>();
      return {
        ask: (asked) => {
          const isPartial = asked.method === "PUT" && begun.has(asked.path);
          if (is(asked, "PATCH", FILE)) begun.add(asked.path);
          return isPartial ? refusal(409, "UPLOAD_OFFSET_DIFFERS") : undefined;
        },
      };
    },
  },
  {
    ...fault("a refused PUT that deletes the partial file"),
    plant: () => {
      const refused = new Set<string>();
      return {
        answer: (answered, asked) => {
          if (is(asked, "PUT", FILE) && answered.status === 422) refused.add(asked.path);
          if (asked.method === "HEAD" && refused.has(asked.path))
            answered.headers["upload-offset"] = "0";
        },
      };
    },
  },
  {
    ...fault("a partial file that outlives its package"),
    plant: () => {
      const withdrawn = new Set<string>();
      return {
        answer: (answered, asked) => {
          if (is(asked, "DELETE", PACKAGE)) withdrawn.add(asked.path);
          if (asked.method !== "HEAD" || !withdrawn.has(asked.path.replace(/\/files.*/, "")))
            return;
          answered.status = 204;
          answered.headers["upload-offset"] = "100";
        },
      };
    },
  },
  {
    rule: "U3",
    what: "a refused file that is no longer missing",
    also: ["U1", "U2"],
    plant: () => {
      const refused = new Set<string>();
      return {
        answer: ({ status, json }, asked) => {
          if (is(asked, "PUT", FILE) && status === 422) refused.add(asked.path);
          if (!is(asked, "GET", STATUS) || json?.files === undefined) return;
          const folder = asked.path.replace(/status.*/, "files/");
          for (const file of Object.keys(json.files)) {
            if (refused.has(folder + file)) json.files[file] = "uploaded";
          }
        },
      };
    },
  },
  {
    rule: "U2",
    what: "more bytes than announced that are cut off",
    answer: (answered, asked) => {
      if (is(asked, "PUT", FILE) && asked.headers["transfer-encoding"] !== undefined)
        void forgive("SIZE_DIFFERS")(answered, asked);
    },
  },
  {
    rule: "U8",
    what: "an upload whose answer has no checksum",
    answer: ({ status, json }, asked) => {
      if (is(asked, "PUT", FILE) && status === 200) delete json.sha256;
    },
  },
  {
    rule: "SEC1",
    what: "a token that caches may keep",
    calls: ["claim"],
    answer: ({ headers }, asked) => {
      if (is(asked, "POST", CLAIM)) delete headers["cache-control"];
    },
  },
  {
    rule: "SEC1",
    what: "a status that caches may keep",
    calls: ["upload-broken-off"],
    answer: ({ headers }, asked) => {
      if (is(asked, "GET", STATUS)) headers["cache-control"] = "max-age=5";
    },
  },
  {
    rule: "SEC1",
    what: "a refusal that caches may keep",
    calls: ["upload-unknown-package"],
    answer: ({ status, headers }) => {
      if (status === 404) delete headers["cache-control"];
    },
  },
  {
    rule: "P11",
    what: "an answer whose type a browser may guess",
    calls: ["announce"],
    answer: ({ headers }, { method }) => {
      if (method === "POST") delete headers["x-content-type-options"];
    },
  },
];

function fault(what: string): Pick<Fault, "rule" | "what"> {
  return { rule: "U10", what };
}

/** A relay that reads the headers of parts otherwise. */
function part(what: string, read: (asked: Asked) => unknown): Fault {
  return {
    ...fault(what),
    ask: (asked) => {
      if (HEAD_OR_APPEND.test(asked.method) && FILE.test(asked.path)) read(asked);
      return undefined;
    },
  };
}

/** A relay that answers a call otherwise. */
function answers(
  what: string,
  method: string,
  change: (answered: Answered, asked: Asked) => unknown,
): Fault {
  return {
    ...fault(what),
    answer: (answered, asked) => void (is(asked, method, FILE) && change(answered, asked)),
  };
}

/** Takes a part that is refused with one of these codes. */
function takePart(code: RegExp): NonNullable<Fault["answer"]> {
  return (answered, asked) => {
    if (is(asked, "PATCH", FILE) && code.test(String(answered.json?.code)))
      becomes(answered, 200, {});
  };
}
