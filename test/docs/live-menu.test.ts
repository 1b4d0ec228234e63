import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inLiveMenu, LIVE_MENU } from "../../core/live-menu.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Anything that looks like our place in Live's menus. */
const PLACE = /Extensions(?: →| ▸|,? then|\s>) ?Soundferry.{0,40}/g;

function pages(): readonly string[] {
  const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n");
  return tracked.filter((path) => /^(README\.md|docs\/.*\.(md|svg))$/.test(path));
}

test("[H11] documents and drawings name Live's menu entries as the code does", () => {
  const places = pages().flatMap((path) =>
    (readFileSync(join(ROOT, path), "utf8").match(PLACE) ?? []).map((text) => ({ path, text })),
  );
  expect(places.length).toBeGreaterThan(2);
  const known = Object.values(LIVE_MENU).map(inLiveMenu);
  const wrong = places.filter(({ text }) => !known.some((place) => text.startsWith(place)));
  expect(wrong).toEqual([]);
  const drawing = readFileSync(join(ROOT, "docs/images/live-menu.svg"), "utf8");
  expect(drawing).toContain(`>Soundferry: ${LIVE_MENU.choose}<`);
  expect(drawing).toContain(`>Soundferry: ${LIVE_MENU.newest}<`);
});
