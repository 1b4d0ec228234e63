import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { type Setting, wholeNumber } from "../core/settings.ts";
import { readTitle } from "../core/text/clean-text.ts";
import { withoutMark } from "../core/text/parse-json.ts";

/** Longest name that is shown to people, in code points. */
const MAX_SHOWN_NAME = 80;
const MAX_LINK_LENGTH = 1000;

/** An http or https address, without a trailing slash. */
export function baseUrl(variable: string, meaning: string): Setting<string | undefined> {
  return {
    variable,
    meaning,
    fallback: undefined,
    read: (text) => {
      const url = URL.parse(text);
      if (url === null || !/^https?:$/.test(url.protocol)) {
        throw new Error(`must be an http or https address, not "${text}".`);
      }
      return url.href.replace(/\/$/, "");
    },
  };
}

/** A name as it can be shown to people. */
export function shownName(variable: string, meaning: string): Setting<string | undefined> {
  return {
    variable,
    meaning,
    fallback: undefined,
    read: (raw) => {
      const { text, change } = readTitle(raw, MAX_SHOWN_NAME);
      if (text !== "" && change === "none") return text;
      throw new Error(
        `must be a name of at most ${MAX_SHOWN_NAME} characters, all of them visible.`,
      );
    },
  };
}

/** A link for people: an https address, or a mail address, which becomes a `mailto:` link. */
export function shownLink(variable: string, meaning: string): Setting<string | undefined> {
  return {
    variable,
    meaning,
    fallback: undefined,
    read: (raw) => {
      const text = raw.trim();
      const [, mail] = /^(?:mailto:)?([\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+)$/i.exec(text) ?? [];
      const url = mail === undefined ? URL.parse(text) : new URL(`mailto:${mail}`);
      const isPlain = url?.protocol === "mailto:" ? mail !== undefined : isPlainHttps(url);
      if (url !== null && isPlain && url.href.length <= MAX_LINK_LENGTH) return url.href;
      throw new Error(`must be an https address or a mail address, not "${raw}".`);
    },
  };
}

function isPlainHttps(url: URL | null): boolean {
  return url?.protocol === "https:" && url.username === "" && url.password === "";
}

/** Addresses and CIDRs, separated by commas. */
export function addresses(variable: string, meaning: string): Setting<readonly string[]> {
  return {
    variable,
    meaning,
    fallback: [],
    fallbackText: "none",
    read: (text) => {
      const parts = text.split(",").map((part) => part.trim());
      const wrong = parts.find((part) => !isAddressOrCidr(part));
      if (wrong !== undefined) {
        throw new Error(`must be addresses or CIDRs with commas between them, not "${wrong}".`);
      }
      return parts;
    },
  };
}

function isAddressOrCidr(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  // With no bits at all everyone would be meant.
  return (
    bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

/** Reads a file as text. */
export function readTextFile(path: string): string {
  return readFileSync(path, "utf8");
}

/** The content of the named file. */
export function fileContent(variable: string, meaning: string): Setting<string | undefined> {
  return {
    variable,
    meaning,
    fallback: undefined,
    read: (path) => {
      try {
        return withoutMark(readTextFile(path));
      } catch (error) {
        throw new Error(`names a file that can't be read: ${path}.`, { cause: error });
      }
    },
  };
}

/** A port. Without a value it is off; 0 picks a free port. */
export function optionalPort(variable: string, meaning: string): Setting<number | undefined> {
  const port = wholeNumber(variable, 0, meaning, { min: 0, max: 65_535 });
  return { ...port, fallback: undefined, fallbackText: "off" };
}

/** Host names, separated by commas, as `isAllowedHost` takes them. */
export function hostNames(variable: string, meaning: string): Setting<readonly string[]> {
  return {
    variable,
    meaning,
    fallback: [],
    fallbackText: "none",
    read: (text) =>
      text.split(",").map((part) => {
        const [, star = "", rest = ""] = /^(\*\.)?(.*)$/s.exec(part.trim()) ?? [];
        const name = normalHostName(rest);
        if (name !== undefined) return `${star}${name}`;
        throw new Error(
          `must be host names without a port, with commas between them, not "${part.trim()}".`,
        );
      }),
  };
}

/** A host name or an address as a URL writes it: lower case, ASCII, IPv6 in brackets. undefined for anything else. */
export function normalHostName(text: string): string | undefined {
  const bare = isIP(text) === 6 ? `[${text}]` : text;
  if (!/^(?:[^\s:/?#@[\]\\*]+|\[[\da-f:.]+\])$/i.test(bare)) return undefined;
  return URL.parse(`http://${bare}/`)?.hostname.replace(/\.$/, "") || undefined;
}
