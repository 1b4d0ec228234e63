import axe from "axe-core";
import type { Page } from "playwright-core";
import { WHOLE_FORMS } from "../whole-forms.ts";

/** A theme of the system, and the width of a window. */
interface Look {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
}

const LOOKS: readonly Look[] = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
  { colorScheme: "light", width: 768 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 768 },
];

/**
 * The engine's default rules: those of WCAG 2.2, A and AA, and its best practices. Where it can't judge, that is a finding
 * as well.
 */
const RULES: axe.RunOptions = {
  // The engine leaves it out unless it is asked for.
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations", "incomplete"],
  preload: false,
};

/**
 * Cases that the engine can't judge, with the reason why they are no finding. A breach that it finds is never left out.
 */
const UNJUDGED = [
  // A letter on a button is a picture for the engine. These two begin their names, "Solo Kick" and "Mute Kick",
  // as they stand on any mixer.
  { rule: "label-content-name-mismatch", selector: ".solo, .mute" },
  // The engine takes no arrow for text, but the names beside it, which have the same color.
  { rule: "color-contrast", selector: "#sending" },
  // Words on a drawing's shapes, which are no background for the engine. They are decoration, in colors whose contrast
  // test/pages/panel/tokens.test.ts proves, and the text beside says the same.
  { rule: "color-contrast", selector: ".drawing text" },
  // One letter or digit, such as M on a button or 8 beats: of one color with longer texts beside it, which are judged.
  { rule: "color-contrast", said: "too short to determine" },
  // What is half scrolled away. The same text is judged where it is in sight, at the other width too.
  { rule: "color-contrast", said: "obscured by another element" },
  { rule: "color-contrast", said: "partially overlaps other elements" },
];

/** Rows are put in their places when the window's size is known: what the engine judges must not move meanwhile. */
const SETTLED = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  let before = "";
  for (let still = 0; still < 10; ) {
    await frame();
    const rows = [...document.querySelectorAll("[role=row]")];
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

let turn = -1;

/** The whole form looks at each state in all of them; otherwise one state after the other gets the next one. */
function looksOfState(): readonly Look[] {
  turn += 1;
  return LOOKS.filter((_, index) => WHOLE_FORMS || index === turn % LOOKS.length);
}

/** Returns the breaches of the rules by a page as it is shown now: in light and dark, from a phone to a screen. */
export async function breachesOf(
  page: Page,
  looks: readonly Look[] = looksOfState(),
): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const breaches: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(SETTLED);
    const findings = await page.evaluate<string[]>(FINDINGS);
    breaches.push(...findings.map((finding) => `${colorScheme}, ${width}: ${finding}`));
  }
  await page.emulateMedia({ colorScheme: null });
  return breaches;
}
