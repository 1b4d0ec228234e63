import axe from "axe-core";
import type { Page } from "playwright-core";

const LOOKS = [
  { colorScheme: "light", width: 1200 },
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 1200 },
  { colorScheme: "dark", width: 360 },
] as const;

/** The rules of WCAG 2.2, A and AA; where the engine can't judge, that is a finding as well. */
const RULES: axe.RunOptions = {
  runOnly: {
    type: "tag",
    values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  },
  // The engine leaves it out unless it is asked for.
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations", "incomplete"],
  preload: false,
};

/** Where the engine can't judge, and why that is no finding; what it judges to be a breach is never left out. */
const UNJUDGED = [
  // A letter on a button is a picture for the engine. These two begin their names, "Solo Kick" and "Mute Kick",
  // as they stand on any mixer.
  { rule: "label-content-name-mismatch", selector: ".solo, .mute" },
  // An arrow is no text for the engine; the names beside it are, and of one colour with it.
  { rule: "color-contrast", selector: "#sending" },
  // Words on a drawing's shapes, which are no background for the engine. They are decoration, in colors whose contrast
  // test/panel/tokens.test.ts proves, and the text beside says the same.
  { rule: "color-contrast", selector: ".drawing text" },
  // What is half scrolled away. The same text is judged where it is in sight, at the other width too.
  { rule: "color-contrast", said: "obscured by another element" },
  { rule: "color-contrast", said: "partially overlaps other elements" },
];

/**
 * The empty slots lie below tracks, clips and heads, each of which has its own background; with them the
 * engine would give up on every contrast in the session.
 */
const WITHOUT_SLOTS = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".scene::before { display: none !important; }");
  document.adoptedStyleSheets.push(sheet);
})()`;

/**
 * Rows of the session are drawn when they come near, and the engine scrolls: what it judges must not move
 * meanwhile. Draws them all, and waits until they stand.
 */
const SETTLED = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const rows = [...document.querySelectorAll("li.scene")];
  for (const row of rows) {
    row.scrollIntoView();
    for (let n = 0; n < 60 && row.querySelector(".tracks, .scene-error") === null; n += 1) await frame();
  }
  document.querySelector("main")?.scrollTo(0, 0);
  let before = "";
  for (let still = 0; still < 10; ) {
    await frame();
    const now = rows.map((row) => row.getBoundingClientRect().top).join();
    still = now === before ? still + 1 : 0;
    before = now;
  }
})()`;

const FINDINGS = `axe.run(document, ${JSON.stringify(RULES)}).then(({ violations, incomplete }) => {
  const read = ({ id, nodes }) => nodes.map(({ target, any, all, none }) => ({
    rule: id,
    target: target.join(" "),
    said: [...any, ...all, ...none].map(({ message }) => message).join(" "),
  }));
  const isToBeJudged = (finding) => !${JSON.stringify(UNJUDGED)}.some(({ rule, selector, said }) =>
    rule === finding.rule && (selector === undefined
      ? finding.said.includes(said)
      : document.querySelector(finding.target)?.matches(selector)));
  return [...violations.flatMap(read), ...incomplete.flatMap(read).filter(isToBeJudged)]
    .map(({ rule, target, said }) => rule + " at " + target + ": " + said);
})`;

/** How a page, as it is shown now, breaks the rules: in light and dark, on a screen and on a phone. */
export async function breachesOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  await page.evaluate(WITHOUT_SLOTS);
  const breaches: string[] = [];
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(SETTLED);
    const findings = await page.evaluate<string[]>(FINDINGS);
    breaches.push(...findings.map((finding) => `${colorScheme}, ${width}: ${finding}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return breaches;
}
