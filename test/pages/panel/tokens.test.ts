import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importerRoutes } from "../../../addon/control/importer-routes.ts";
import { PANEL_CALLS } from "../../../core/protocol/panel-calls.ts";

const TOKENS = readFileSync(
  join(import.meta.dirname, "../../..", "pages", "kit", "style", "tokens.css"),
  "utf8",
);
const [LIGHT = "", DARK = "", LIVE = ""] = TOKENS.split(
  /prefers-color-scheme: dark|:root\[data-in-live\]/,
);

/** Text, and every ground that it stands on. */
const TEXTS = ["ink", "quiet", "good", "mixed", "bad", "focus"];
const GROUNDS = ["ground", "surface", "sunk", "hover"];

test.each([
  ["light", colorsIn(LIGHT)],
  ["dark", new Map([...colorsIn(LIGHT), ...colorsIn(DARK)])],
  ["Live", new Map([...colorsIn(LIGHT), ...colorsIn(LIVE)])],
])("text can be read on its ground in the %s theme", (_, colors) => {
  const weak = TEXTS.flatMap((text) => GROUNDS.map((ground) => [text, ground] as const))
    .concat([["on-accent", "accent"]], [["on-accent", "accent-pressed"]])
    .concat([["on-selected", "selected"]], [["on-solo", "solo"]])
    .map(([text, ground]) => [text, ground, contrast(colors, text, ground)] as const)
    .filter(([, , ratio]) => !(ratio >= 4.5));
  expect(weak).toEqual([]);
});

test.each([
  ["light", colorsIn(LIGHT)],
  ["dark", new Map([...colorsIn(LIGHT), ...colorsIn(DARK)])],
  ["Live", new Map([...colorsIn(LIGHT), ...colorsIn(LIVE)])],
])("edges of controls and shapes stand out in the %s theme", (_, colors) => {
  const parts = ["edge", "shape", "playhead", "progress"].map((part) =>
    contrast(colors, part, "surface"),
  );
  expect(Math.min(...parts)).toBeGreaterThanOrEqual(3);
});

function colorsIn(css: string): Map<string, string> {
  return new Map(
    [...css.matchAll(/--([a-z-]+): #([\da-f]{6})/g)].map(([, name = "", hex = ""]) => [name, hex]),
  );
}

/** The contrast ratio of WCAG 2. */
function contrast(colors: Map<string, string>, one: string, other: string): number {
  const [a, b] = [one, other].map((name) => luminance(colors.get(name) ?? ""));
  const [high, low] = [Math.max(a ?? NaN, b ?? NaN), Math.min(a ?? NaN, b ?? NaN)];
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [red = NaN, green = NaN, blue = NaN] = [0, 2, 4].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("[N1] the importer has a route for each call of the panel", () => {
  const routes = importerRoutes({} as never, {} as never);
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const calls = Object.values(PANEL_CALLS).map(([method, path]) => `${method} ${path}`);
  expect(calls.filter((call) => !known.has(call))).toEqual([]);
});
