import { describe, expect, test } from "vitest";
import { checkLiveSet } from "../../../../core/live-set/check/check-live-set.ts";
import { pathOf } from "../../../../core/live-set/check/finding-list.ts";
import { everyElement, type SetElement } from "../../../../core/live-set/set-element.ts";
import { parseXmlTree, type XmlNode } from "../../../../core/live-set/xml-tree.ts";
import { GOOD } from "./good-set.ts";

/** The elements that a Set may lack: members of lists of any length. */
const MAY_BE_MISSING = new Set([
  "AudioClip",
  "RemoteableTimeSignature",
  "AutomationLane",
  "ExpressionLane",
  // The last track of three, and one marker of three.
  "AudioTrack",
  "WarpMarker",
]);
/** The meter's envelope and its event are a note where they are missing. */
const OF_THE_METER = /AutomationEnvelope\[Id=0\](?:\/Automation\/Events\/EnumEvent\[Id=0\])?$/;

const document = parseXmlTree(GOOD);
/** The first element of each path, without regard to ids. */
const elements = [
  ...new Map(
    [...everyElement(document.root)]
      .filter(({ parent }) => parent !== null)
      .toReversed()
      .map((element) => [pathOf(element).replaceAll(/\[.*?\]/g, ""), element] as const),
  ).values(),
];

/** Changes an element or its attributes for the time of one check, and returns the number of findings. */
function faultsWith(target: SetElement, change: Partial<SetElement>): number {
  const before = { ...target };
  try {
    Object.assign(target, change);
    return checkLiveSet(document).list.faults.length;
  } finally {
    Object.assign(target, before);
  }
}

function isText({ tag, attributes }: XmlNode, attribute: string): boolean {
  const value = attributes.get(attribute) ?? "";
  return !/^(?:true|false|-?[\d.]+)$/.test(value) || tag === "LowerDisplayString";
}

describe("every element of a Set", () => {
  test("[LS24] is missed if it isn't there", () => {
    const unnoticed = elements.filter(({ parent, ...element }) => {
      if (parent === null) return false;
      const rest = parent.children.filter(
        ({ tag, line }) => tag !== element.tag || line !== element.line,
      );
      return faultsWith(parent, { children: rest }) === 0;
    });
    const others = unnoticed.filter(
      (element) => !MAY_BE_MISSING.has(element.tag) && !OF_THE_METER.test(pathOf(element)),
    );
    expect(elements.length).toBeGreaterThan(400);
    expect(others.map(pathOf)).toEqual([]);
  });

  test("[LS24] is noticed if it is there twice", () => {
    const unnoticed = elements.filter((element) => {
      const { parent } = element;
      if (parent === null) return false;
      return faultsWith(parent, { children: [...parent.children, element] }) === 0;
    });
    expect(unnoticed.map(pathOf)).toEqual([]);
  });

  test("[LS24] is noticed behind the one that follows it", () => {
    const unnoticed = elements.filter((element) => {
      const siblings = element.parent?.children ?? [];
      const at = siblings.indexOf(element);
      const [next] = siblings.slice(at + 1);
      if (element.parent === null || next === undefined || next.tag === element.tag) return false;
      const children = siblings.with(at, next).with(at + 1, element);
      return faultsWith(element.parent, { children }) === 0;
    });
    expect(unnoticed.map(pathOf)).toEqual([]);
  });

  test("[LS24] is noticed under another name", () => {
    const unnoticed = elements.filter(
      (element) => faultsWith(element, { tag: "Misspelled" }) === 0,
    );
    expect(unnoticed.map(pathOf)).toEqual([]);
  });

  test("[LS25] is noticed without one of its attributes, and with a blank or a word as a number", () => {
    const unnoticed = elements.flatMap((element) =>
      [...element.attributes.keys()].flatMap((attribute) => {
        const without = new Map(element.attributes);
        without.delete(attribute);
        const others = ["", "word"].map((value) =>
          new Map(element.attributes).set(attribute, value),
        );
        const changes = isText(element, attribute) ? [without] : [without, ...others];
        return changes
          .filter((attributes) => faultsWith(element, { attributes }) === 0)
          .map((attributes) => `${pathOf(element)} ${attribute}=${attributes.get(attribute)}`);
      }),
    );
    expect(unnoticed).toEqual([]);
  });
});
