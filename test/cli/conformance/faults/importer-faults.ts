import type { Fault } from "./breaking-proxy.ts";
import { DOWNLOAD } from "./tools.ts";

/** Faults in the rules of the importer's API. */
export const IMPORTER_FAULTS: readonly Fault[] = [
  {
    rule: "I2",
    what: "a range that is ignored",
    ask: (asked) => {
      delete asked.headers["range"];
      return undefined;
    },
  },
  {
    rule: "I2",
    what: "an ETag that is not the checksum",
    answer: ({ headers }, asked) => {
      if (asked.method === "GET" && DOWNLOAD.test(asked.path)) headers["etag"] = '"1"';
    },
  },
  {
    rule: "I5",
    what: "a list without pages",
    ask: (asked) => {
      asked.path = asked.path.replace(/(importer\/packages)\?after=.*/, "$1");
      return undefined;
    },
  },
  {
    rule: "I4",
    also: ["I5"],
    what: "an importer's version that is not looked at",
    ask: (asked) => {
      delete asked.headers["x-soundferry-importer"];
      return undefined;
    },
  },
];
