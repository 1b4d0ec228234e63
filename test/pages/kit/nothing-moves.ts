import type { Page } from "playwright-core";
import { WHOLE_FORMS } from "../../whole-forms.ts";

/** An element that a pointer or the focus could have met, and how far it went. */
export interface Shift {
  /** Its role or tag, and its name or text. */
  readonly element: string;
  /** Largest change of its left, top, width or height, in pixels. */
  readonly pixels: number;
  /** Since the action began. */
  readonly afterMs: number;
}

export interface WatchOptions {
  /** Time after the action for which the page is watched. */
  readonly ms?: number;
  /** A movement that is no finding, such as what an open menu reveals; CSS. Give a reason where it is used. */
  readonly except?: string;
}

/** Elements that a pointer or the focus can reach: rows and all controls. */
const TARGETS =
  'button, input, select, textarea, summary, a[href], [tabindex], [role="row"], li, label, ' +
  '[role="radio"], [role="tab"], [role="option"], h1, h2, h3';

/**
 * Watches, frame by frame, the boxes of everything that pointer or focus could meet: that is in the window, not
 * hidden, and not scrolled out of its pane. Each element is compared with itself, or with one of the same name that
 * it replaces; one that comes is compared from then on. Elements that move with their own scroller, because a key or the
 * wheel scrolled it, are measured within it. A shift right after input counts, as well as one without input. What a click replaces is watched as well: no other control may come to lie under the pointer, but in
 * a dialog.
 */
const IN_PAGE = `(({ targets, except }) => {
  const seen = new Map();
  const worst = new Map();
  const startedAt = performance.now();
  let frame = 0;
  const scrollersOf = (element) => {
    const scrollers = [];
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowY)) scrollers.push(at);
    }
    return scrollers;
  };
  const canBeMet = (element, box, scrollers) => {
    if (box.width === 0 || box.height === 0) return false;
    const style = getComputedStyle(element);
    if (style.visibility !== "visible" || style.pointerEvents === "none") return false;
    if (element.closest(".unseen, [inert]") !== null) return false;
    const open = document.querySelector("dialog[open]");
    if (open !== null && !open.contains(element)) return false;
    const isIn = (area) => box.bottom > area.top && box.top < area.bottom && box.right > area.left && box.left < area.right;
    if (!isIn({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })) return false;
    return scrollers.every((scroller) => scroller === document.documentElement || isIn(scroller.getBoundingClientRect()));
  };
  const nameOf = (element) => {
    const role = element.getAttribute("role") ?? element.tagName.toLowerCase();
    const text = element.getAttribute("aria-label") ?? element.textContent ?? "";
    return role + " “" + text.trim().replace(/\\s+/g, " ").slice(0, 60) + "”";
  };
  const controlAt = ({ x, y }) =>
    document.elementFromPoint(x, y)?.closest("button, input, select, summary, a[href]") ?? null;
  let pressed = null;
  const press = ({ clientX: x, clientY: y }) => {
    const control = controlAt({ x, y });
    pressed = { x, y, control, name: control === null ? "" : nameOf(control) };
  };
  addEventListener("pointerdown", press, true);
  const lookUnderPointer = (now) => {
    if (pressed === null) return;
    const control = controlAt(pressed);
    if (control === null || control === pressed.control || control.closest("dialog") !== null) return;
    const isSame = control.getAttribute("role") === pressed.control?.getAttribute("role") && nameOf(control) === pressed.name;
    if (isSame || worst.has(pressed)) return;
    worst.set(pressed, { element: nameOf(control) + " came under the pointer", pixels: 0, afterMs: Math.round(now) });
  };
  const look = () => {
    const gone = new Map([...seen].filter(([element]) => !element.isConnected).map(([element, at]) => [at.name, at]));
    for (const [element] of [...seen]) if (!element.isConnected) seen.delete(element);
    const now = performance.now() - startedAt;
    lookUnderPointer(now);
    for (const element of document.querySelectorAll(targets)) {
      if (except !== null && element.matches(except)) continue;
      const name = nameOf(element);
      const before = seen.get(element) ?? gone.get(name);
      const scrollers = scrollersOf(element);
      const box = element.getBoundingClientRect();
      // Someone who scrolls expects that it moves.
      const scrolled = scrollers.reduce((sum, { scrollTop }) => sum + scrollTop, 0);
      const at = {
        name, canBeMet: canBeMet(element, box, scrollers),
        left: box.left, top: box.top + scrolled, width: box.width, height: box.height,
      };
      seen.set(element, at);
      if (before === undefined || !before.canBeMet || !at.canBeMet) continue;
      // Against where it was first seen: slow slides add up.
      const first = before.first ?? before;
      at.first = first;
      const pixels = Math.max(...["left", "top", "width", "height"].map((side) => Math.abs(at[side] - first[side])));
      if (pixels > 1 && pixels > (worst.get(element)?.pixels ?? 0)) {
        worst.set(element, { element: name, pixels: Math.round(pixels * 10) / 10, afterMs: Math.round(now) });
      }
    }
    frame = requestAnimationFrame(look);
  };
  look();
  globalThis.endWatch = () => {
    cancelAnimationFrame(frame);
    removeEventListener("pointerdown", press, true);
    return { shifts: [...worst.values()], watched: [...seen.values()].filter(({ canBeMet }) => canBeMet).length };
  };
})`;

/** Waits for as many frames as a page draws in this time; on a busy machine, they take longer. */
function framesIn(ms: number): string {
  return `new Promise((resolve) => {
    let left = ${Math.ceil((ms * 60) / 1000)};
    const draw = () => ((left -= 1) < 0 ? resolve() : requestAnimationFrame(draw));
    draw();
  })`;
}

/**
 * Does something, and returns what moved by more than one pixel from then on.
 * @throws {Error} if there was nothing to watch
 */
export async function shiftsAfter(
  page: Page,
  act: () => Promise<unknown>,
  { ms = WHOLE_FORMS ? 2_000 : 500, except }: WatchOptions = {},
): Promise<readonly Shift[]> {
  await page.evaluate(
    `${IN_PAGE}(${JSON.stringify({ targets: TARGETS, except: except ?? null })})`,
  );
  await act();
  await page.evaluate(framesIn(ms));
  const { shifts, watched } = await page.evaluate<{ shifts: Shift[]; watched: number }>(
    "endWatch()",
  );
  if (watched === 0) throw new Error("There was nothing to watch.");
  return shifts;
}
