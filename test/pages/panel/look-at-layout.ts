import type { Page } from "playwright-core";

/** Parts of the page whose buttons, results and texts are compared. */
const AREAS =
  ".shell-header, .shell-status, .pane-bar, .package-tools, .package-bar, .pick-row, .pairing, .lan, .first-live, .shell-footer";

/** Names of any length, which end in an ellipsis and are whole in a tooltip or in the package's own line. */
const NAMES = ".pick-content, .package-title, .pane-title, .host, .connection, .status-line > p";

/**
 * Lists the controls and texts in sight that lie over one another, or that are cut off at a side. A text counts with
 * its letters' boxes, a control with its own.
 */
const FINDINGS = `(() => {
  // An ellipsis takes the place of letters, which then have no box.
  if (document.querySelector("style.whole-texts") === null) {
    const style = Object.assign(document.createElement("style"), { className: "whole-texts" });
    style.textContent = "* { text-overflow: clip !important }";
    document.head.append(style);
  }
  const boxes = [];
  const findings = [];
  const scrollersOf = (element) => {
    const found = [];
    for (let at = element; at !== null && at !== document.documentElement; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (overflowX !== "visible" || overflowY !== "visible") found.push(at);
    }
    return found;
  };
  const wordsOf = (element) => (element.getAttribute?.("aria-label") ?? element.textContent).trim().slice(0, 50);
  // Returns the part of a box that is in sight; what is scrolled away vertically isn't.
  const partInSight = (box, element, name) => {
    let { left, right, top, bottom } = box;
    for (const scroller of scrollersOf(element)) {
      const edge = scroller.getBoundingClientRect();
      top = Math.max(top, edge.top);
      bottom = Math.min(bottom, edge.bottom);
      const isCut = left < edge.left - 1 || right > edge.right + 1;
      if (isCut && bottom > top && element.closest(${JSON.stringify(NAMES)}) === null) {
        findings.push("“" + name + "” is cut off at a side");
      }
      left = Math.max(left, edge.left);
      right = Math.min(right, edge.right);
    }
    if (right > innerWidth + 1) findings.push("“" + name + "” is cut off by the window");
    return { left, right, top, bottom };
  };
  const add = (element, box, name) => {
    if (box.width < 1 || box.height < 1) return;
    const part = partInSight(box, element, name);
    if (part.right - part.left < 1 || part.bottom - part.top < 1) return;
    boxes.push({ element, name, ...part });
  };
  // Texts for screen readers alone are clipped.
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.closest(".unseen") === null && getComputedStyle(element).clipPath === "none";
  for (const area of document.querySelectorAll(${JSON.stringify(AREAS)})) {
    if (!isShown(area)) continue;
    for (const control of area.querySelectorAll("button, input, select, [role=progressbar]")) {
      if (isShown(control)) add(control, control.getBoundingClientRect(), wordsOf(control));
    }
    const texts = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const { parentElement: element } = text;
      if (text.data.trim() === "" || !isShown(element)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) add(element, box, text.data.trim().slice(0, 50));
    }
  }
  const overlap = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
  boxes.forEach((a, index) => {
    for (const b of boxes.slice(index + 1)) {
      if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
      if (overlap(a, b, "left", "right") > 1 && overlap(a, b, "top", "bottom") > 1) {
        findings.push("“" + a.name + "” and “" + b.name + "” lie over one another");
      }
    }
  });
  return [...new Set(findings)];
})()`;

/** Returns what overlaps or is cut off in the page's bars, rows and footer, in sentences. */
export function readFindings(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(FINDINGS);
}
