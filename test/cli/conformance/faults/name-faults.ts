import type { Fault } from "./breaking-proxy.ts";
import { alter, warnOn, respell } from "./name-fault-kinds.ts";
import { ANNOUNCE, is, refusal } from "./tools.ts";

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const EMOJI = /\p{Extended_Pictographic}/u;
const CONTROLS = /[\n\r\u2028\u2029]/g;

/** Faults in how a relay cleans texts (rule M6), and what goes with it. */
export const NAME_FAULTS: readonly Fault[] = [
  { ...respell("NFKC instead of NFC", (text) => text.normalize("NFKC")), also: ["M4"] },
  { ...alter("NFD instead of NFC", (kept) => kept.normalize("NFD")), also: ["M4"] },
  alter("texts that are not normalized", (kept, sent) =>
    sent.normalize("NFC") === kept ? sent : kept,
  ),
  {
    ...respell(
      "letters above U+FFFF that are dropped",
      (text) => text.replaceAll(/(?!\p{Emoji})[\u{10000}-\u{10ffff}]/gu, ""),
      ["name"],
    ),
    also: ["M4"],
  },
  respell("ASCII digits only", (text) => text.replaceAll(/(?![0-9])\p{Nd}/gu, " "), ["name"]),
  {
    ...respell("ASCII letters only", (text) => text.replaceAll(/(?![ -~])\p{L}/gu, " "), ["name"]),
    also: ["M4"],
  },
  {
    ...respell("letters without marks", (text) => text.replaceAll(/\p{M}/gu, " "), ["name"]),
    also: ["M4", "M5"],
  },
  {
    ...respell("letters of cased scripts only", (text) => text.replaceAll(/\p{Lo}/gu, " "), [
      "name",
    ]),
    also: ["M4"],
  },
  ...["_", "'", "#"].map((sign) =>
    respell(`a name without ${sign}`, (text) => text.replaceAll(sign, " "), ["name"]),
  ),
  respell(
    "typographic signs that become plain ones",
    (text) => text.replaceAll("’", "'").replaceAll("–", "-"),
    ["name"],
  ),
  alter(
    "emoji that stay in a name",
    (text, sent) => (EMOJI.test(sent) && text.length < 5 ? sent : text),
    ["name"],
  ),
  {
    ...respell(
      "emoji that become a space in a title",
      (text) => text.replaceAll(/\p{Extended_Pictographic}/gu, " "),
      ["title"],
    ),
    also: ["M4"],
  },
  respell("emoji in a title without their joiners", (text) => text.replaceAll("\u200d", ""), [
    "title",
  ]),
  alter("bidi controls that stay in a title", kept(BIDI), ["title"]),
  alter("bidi controls that stay in a name", kept(BIDI), ["name"]),
  { ...alter("line breaks that stay in a title", kept(CONTROLS), ["title"]), also: ["M4"] },
  {
    ...respell("controls that are dropped", (text) =>
      text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ""),
    ),
    also: ["M4"],
  },
  respell("lone surrogates that become U+FFFD", (text) => text.replaceAll(/\p{Cs}/gu, "\ufffd"), [
    "title",
  ]),
  alter(
    "40 UTF-16 units instead of characters",
    (text) => text.slice(0, 40).replace(/[\ud800-\udbff]$/, ""),
    ["name"],
  ),
  alter("60 UTF-16 units instead of characters", (text) => text.slice(0, 60), ["title"]),
  {
    ...respell(
      "40 bytes of UTF-8 instead of characters",
      (text) =>
        Buffer.from(text)
          .subarray(0, 40)
          .toString()
          .replace(/\ufffd$/, ""),
      ["source.app"],
    ),
    also: ["M4"],
  },
  alter(
    "a cut between a letter and its marks",
    (text, sent) =>
      /[^\p{M}]\p{M}+$/u.test(sent) && text.length === 39
        ? Array.from(sent).slice(0, 40).join("")
        : text,
    ["name"],
  ),
  alter(
    "a cut within an emoji",
    (text, sent) => (text.length === 118 ? Array.from(sent).slice(0, 60).join("") : text),
    ["title"],
  ),
  {
    ...respell(
      "a length that is counted before NFC",
      (text) => Array.from(text).slice(0, 40).join(""),
      ["name"],
    ),
    also: ["M4"],
  },
  {
    ...alter(
      "spaces in a row that stay",
      (text, sent) => (sent.includes("Deep") ? sent.trim() : text),
      ["name"],
    ),
    also: ["M4"],
  },
  alter("marks alone that are a name", (text, sent) => (sent === "\u0301" ? sent : text), ["name"]),
  {
    ...alter("no default for a blank title", (text, sent) => (sent.trim() === "" ? sent : text), [
      "title",
    ]),
    also: ["M4"],
  },
  {
    ...alter("an app's name in a package that is not cleaned", (_text, sent) => sent, [
      "source.app",
    ]),
    also: ["M4"],
  },
  alter("a platform of 40 UTF-16 units", (text) => text.slice(0, 40), ["source.platform"]),
  warnOn(
    "a warning on what changes only by NFC",
    "M6",
    ["M4", "M5"],
    (sent) => sent !== sent.normalize("NFC"),
  ),
  warnOn("a warning on spaces that are lost", "M6", ["M5"], (sent) => sent !== sent.trim()),
  {
    rule: "M6",
    what: "letters above U+FFFF that refuse the package",
    also: ["M4", "M5", "M7"],
    seesBody: ANNOUNCE,
    ask: ({ sent }) =>
      JSON.stringify(sent?.items ?? "").match(/[\u{10000}-\u{1ffff}]/u)
        ? refusal(422, "NAME_WRONG")
        : undefined,
  },
  {
    rule: "P5",
    what: "an app_name that is not cleaned",
    also: ["M6"],
    plant: () => {
      const names = new Map<string, unknown>();
      return {
        answer: (answered, asked) => {
          const { json } = answered;
          const said = asked.body && /"app_name":"(.*?)"/u.exec(asked.body.toString())?.[1];
          if (is(asked, "POST", /^\/pair\/claim$/) && json?.app_token) {
            names.set(`Bearer ${json.app_token}`, JSON.parse(`"${said}"`));
          }
          if (is(asked, "GET", /^\/app\/me$/) && json?.app_name) {
            json.app_name = names.get(String(asked.headers["authorization"])) ?? json.app_name;
          }
        },
      };
    },
  },
  {
    rule: "P1",
    what: "a device_name that keeps line breaks",
    answer: ({ json }, asked) => {
      if (!is(asked, "PATCH", /^\/importer\/me$/) || json?.device_name === undefined) return;
      const sent = JSON.parse(String(asked.body)).device_name;
      if (String(sent).length < 40 && CONTROLS.test(sent)) json.device_name = sent;
    },
  },
  {
    rule: "M3",
    what: "a SHA-256 in upper case that refuses the package",
    also: ["M5"],
    seesBody: ANNOUNCE,
    ask: ({ sent }) =>
      /[A-F]/.test(
        JSON.stringify(
          sent?.items?.map?.((item: { sha256?: unknown } | null) => item?.sha256) ?? "",
        ),
      )
        ? refusal(422, "SHA256_WRONG")
        : undefined,
  },
  {
    rule: "U3",
    what: "a SHA-256 in upper case that fits no file",
    plant: () => {
      const upper = new Set<string>();
      return {
        seesBody: ANNOUNCE,
        answer: (answered, asked) => {
          const { json } = answered;
          if (is(asked, "POST", ANNOUNCE) && answered.status === 201) {
            for (const { file, sha256 } of asked.sent.items) {
              if (/[A-F]/.test(sha256)) upper.add(json.upload[file]);
            }
          }
          if (asked.method === "PUT" && upper.has(asked.path)) {
            Object.assign(answered, refusal(422, "CHECKSUM_DIFFERS"));
          }
        },
      };
    },
  },
  {
    rule: "I2",
    what: "an ETag in upper case",
    answer: ({ headers }, asked) => {
      const { etag } = headers;
      if (asked.method === "GET" && typeof etag === "string") headers["etag"] = etag.toUpperCase();
    },
  },
];

/** Puts characters of a kind back where they became spaces. */
function kept(kind: RegExp | string) {
  return (text: string, sent: string): string => {
    const found = sent.match(typeof kind === "string" ? new RegExp(kind, "g") : kind);
    return found === null ? text : sent;
  };
}
