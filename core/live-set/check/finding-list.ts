import { fillSentence } from "../../text/sentence-of.ts";
import { onOneLine, shorten } from "../../text/shorten.ts";
import type { XmlNode } from "../xml-tree.ts";
import {
  type FindingParams,
  LIVE_REFUSALS,
  NOTES,
  sentenceOfFinding,
  type SetFinding,
  type SetFindingCode,
} from "./set-finding.ts";

/** Findings that are kept. A hostile file can have millions; only their number is counted then. */
const MOST_KEPT = 1000;
/** The greatest length of a value in a sentence, in UTF-16 units. */
const MOST_UNITS = 60;

/** The findings and notes on one Set, in the order in which they are found, each once. */
export class FindingList {
  readonly faults: SetFinding[] = [];
  readonly notes: SetFinding[] = [];
  /** Findings and notes that aren't kept. */
  dropped = 0;
  /** Elements that no table describes, by name. */
  readonly notJudged = new Map<string, number>();
  readonly #known = new Map<XmlNode | string, Set<string>>();

  /**
   * Adds a finding, or a note if the code is one.
   * @param place the element, or the name of the container
   */
  add<Code extends SetFindingCode>(
    place: XmlNode | string,
    code: Code,
    params: FindingParams<Code>,
  ): void {
    const values = Object.entries<string | number>(params).map(
      ([name, value]) => [name, shorten(onOneLine(String(value)), MOST_UNITS)] as const,
    );
    const key = [code, ...values].join("\n");
    const known = this.#known.get(place);
    if (known?.has(key) === true) return;
    const kind = code in NOTES ? this.notes : this.faults;
    if (this.faults.length + this.notes.length >= MOST_KEPT) {
      this.dropped += 1;
      return;
    }
    if (known === undefined) this.#known.set(place, new Set([key]));
    else known.add(key);
    kind.push(finding(place, code, new Map(values)));
  }

  leaveOut(tag: string): void {
    this.notJudged.set(tag, (this.notJudged.get(tag) ?? 0) + 1);
  }
}

function finding(
  place: XmlNode | string,
  code: SetFindingCode,
  params: ReadonlyMap<string, string>,
): SetFinding {
  const [path, line, tag] =
    typeof place === "string" ? [place, null, ""] : [pathOf(place), place.line, place.tag];
  const live = LIVE_REFUSALS[code];
  const all = new Map([["class", tag], ["path", path], ["line", String(line)], ...params]);
  return {
    code,
    path,
    line,
    sentence: fillSentence(sentenceOfFinding(code), params),
    ...(live !== undefined && { live: fillSentence(live, all) }),
  };
}

/** Returns an element's path from `LiveSet`, such as `LiveSet/Scenes/Scene[Id=0]`. */
export function pathOf(node: XmlNode): string {
  const parts: string[] = [];
  for (let at: XmlNode | null = node; at !== null; at = at.parent) {
    if (at.parent === null && parts.length > 0) break;
    const id = at.attributes.get("Id");
    parts.unshift(id === undefined ? at.tag : `${at.tag}[Id=${shorten(onOneLine(id), 20)}]`);
  }
  return parts.join("/");
}
