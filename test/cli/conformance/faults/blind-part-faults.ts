import type { Answered, Asked, Fault } from "./breaking-proxy.ts";
import { becomes, DOWNLOAD, FILE, is } from "./tools.ts";
import { answering, bytesBeside, changeText, refused } from "./blind-tools.ts";

type Ask = NonNullable<Fault["ask"]>;
type Answer = NonNullable<Fault["answer"]>;

const VERSION = "upload-draft-interop-version";

function isPart(asked: Asked): boolean {
  return is(asked, "PATCH", FILE);
}

/** Sets a header of the parts where it is missing or wrong. */
function partsAlwaysWith(name: string, value: string): Ask {
  return (asked) => {
    if (isPart(asked)) asked.headers[name] = value;
    return undefined;
  };
}

function partsWithDefault(name: string, value: string): Ask {
  return (asked) => {
    if (isPart(asked)) asked.headers[name] ??= value;
    return undefined;
  };
}

function headsWithout(name: string): Answer {
  return ({ headers }, asked) => {
    if (is(asked, "HEAD", FILE)) delete headers[name];
  };
}

function differs({ json }: Answered): boolean {
  return json?.code === "UPLOAD_OFFSET_DIFFERS";
}

/** Changes the range that a download asks for. */
function ranges(change: (range: string) => string | undefined): Ask {
  return (asked) => {
    const range = asked.headers["range"];
    if (is(asked, "GET", DOWNLOAD) && typeof range === "string")
      asked.headers["range"] = change(range);
    if (asked.headers["range"] === undefined) delete asked.headers["range"];
    return undefined;
  };
}

/** Faults in uploads by parts and in downloads. */
export const PART_FAULTS: readonly Fault[] = [
  {
    rule: "U10",
    what: "parts of any content type",
    ask: partsAlwaysWith("content-type", "application/partial-upload"),
  },
  {
    rule: "U10",
    what: "parts without Upload-Complete taken for the last",
    ask: partsWithDefault("upload-complete", "?1"),
  },
  {
    rule: "U10",
    what: "parts without Upload-Offset taken for the first",
    ask: partsWithDefault("upload-offset", "0"),
  },
  {
    rule: "U10",
    what: "parts of any draft version",
    ask: (asked) => {
      if (isPart(asked) || is(asked, "HEAD", FILE)) asked.headers[VERSION] = "8";
      return undefined;
    },
  },
  { rule: "U10", what: "no Upload-Limit", answer: headsWithout("upload-limit") },
  { rule: "U10", what: "no Upload-Length", answer: headsWithout("upload-length") },
  { rule: "U10", what: "offsets that caches may keep", answer: headsWithout("cache-control") },
  {
    rule: "U10",
    what: "the largest size of any file in each Upload-Limit",
    answer: ({ headers }, asked) => {
      if (is(asked, "HEAD", FILE)) {
        changeText(headers, "upload-limit", (limit) =>
          limit.replace(/max-size=\d+/, "max-size=209715200"),
        );
      }
    },
  },
  {
    rule: "U10",
    what: "an Upload-Limit without the seconds that are left",
    answer: ({ headers }, asked) => {
      if (is(asked, "HEAD", FILE))
        changeText(headers, "upload-limit", (limit) => limit.replace(/, max-age=\d+/, ""));
    },
  },
  {
    rule: "U10",
    what: "preflights of files without Upload-Limit",
    answer: ({ headers }, asked) => {
      if (is(asked, "OPTIONS", FILE)) delete headers["upload-limit"];
    },
  },
  {
    rule: "U10",
    what: "an offset of 0 for a finished file",
    answer: ({ headers }, asked) => {
      if (is(asked, "HEAD", FILE) && headers["upload-complete"] === "?1")
        headers["upload-offset"] = "0";
    },
  },
  {
    rule: "U10",
    what: "a finished file whose upload isn't complete",
    answer: ({ headers }, asked) => {
      if (is(asked, "HEAD", FILE)) headers["upload-complete"] = "?0";
    },
  },
  {
    rule: "U10",
    what: "parts wherever they begin",
    plant: () => {
      const offsets = new Map<string, string>();
      return {
        ask: (asked) => {
          const right = offsets.get(asked.path);
          const sent = asked.headers["upload-offset"];
          if (isPart(asked) && right !== undefined && /^\d+$/.test(String(sent)))
            asked.headers["upload-offset"] = right;
          return undefined;
        },
        answer: ({ headers }, asked) => {
          const offset = headers["upload-offset"];
          if ((isPart(asked) || is(asked, "HEAD", FILE)) && typeof offset === "string")
            offsets.set(asked.path, offset);
        },
      };
    },
  },
  {
    rule: "U10",
    what: "a wrong offset answered without the right one in its headers",
    answer: (answered) => {
      if (differs(answered)) delete answered.headers["upload-offset"];
    },
  },
  {
    rule: "U10",
    what: "a wrong offset answered without expected-offset",
    answer: (answered) => {
      if (differs(answered)) delete answered.json["expected-offset"];
    },
  },
  {
    rule: "U10",
    what: "200 for a part that isn't the last",
    answer: (answered, asked) => {
      if (isPart(asked) && answered.status === 204) becomes(answered, 200, {});
    },
  },
  {
    rule: "U10",
    what: "an offset that stays after a refused file",
    plant: () => {
      const refused = new Map<string, string>();
      return {
        answer: ({ headers, status }, asked) => {
          const { path } = asked;
          if (isPart(asked) && status === 422)
            refused.set(path, String(asked.headers["upload-offset"]));
          else if (isPart(asked) || is(asked, "PUT", FILE)) refused.delete(path);
          const offset = refused.get(path);
          if (is(asked, "HEAD", FILE) && offset !== undefined) headers["upload-offset"] = offset;
        },
      };
    },
  },
  {
    rule: "U3",
    what: "a file that can't be sent again",
    plant: () => {
      const stored = new Set<string>();
      return {
        ask: (asked) =>
          is(asked, "PUT", FILE) && stored.has(asked.path)
            ? refused(asked, 409, "NOT_UPLOADING")
            : undefined,
        answer: ({ status }, asked) => {
          if (is(asked, "PUT", FILE) && status === 200) stored.add(asked.path);
        },
      };
    },
  },
  {
    rule: "M10",
    what: "uploads of audio types and application/octet-stream only",
    ask: (asked) => {
      const type = asked.headers["content-type"];
      return is(asked, "PUT", FILE) &&
        type !== undefined &&
        !/^(audio\/|application\/octet-stream)/.test(String(type))
        ? refused(asked, 415, "UPLOAD_TYPE_WRONG")
        : undefined;
    },
  },
  {
    rule: "U8",
    what: "uploads answered without their checksum",
    ...answering("PUT", FILE, ({ json }) => void delete json.sha256),
  },
  {
    rule: "I2",
    what: "downloads without an ETag",
    answer: ({ headers }, asked) => {
      if (is(asked, "GET", DOWNLOAD)) delete headers["etag"];
    },
  },
  {
    rule: "I2",
    what: "an ETag without its quotes",
    answer: ({ headers }, asked) => {
      if (is(asked, "GET", DOWNLOAD)) changeText(headers, "etag", (tag) => tag.replaceAll('"', ""));
    },
  },
  {
    rule: "I2",
    what: "ranges of a file's last bytes ignored",
    ask: ranges((range) => (range.startsWith("bytes=-") ? undefined : range)),
  },
  {
    rule: "I2",
    what: "ranges without their last byte",
    ask: ranges((range) => range.replace(/-(\d+)$/, (_, last: string) => `-${Number(last) - 1}`)),
  },
  {
    rule: "I2",
    what: "the whole file for a range that begins after its end",
    answer: async (answered, asked) => {
      if (!is(asked, "GET", DOWNLOAD) || answered.status !== 416) return;
      const bytes = await bytesBeside(asked);
      delete answered.headers["content-range"];
      answered.headers["content-type"] = "audio/wav";
      answered.headers["content-length"] = String(bytes.byteLength);
      Object.assign(answered, { status: 200, json: undefined, bytes });
    },
  },
  {
    rule: "I2",
    what: "a Content-Range without the file's size",
    answer: ({ headers }) =>
      changeText(headers, "content-range", (range) => range.replace(/\/\d+$/, "/*")),
  },
];
