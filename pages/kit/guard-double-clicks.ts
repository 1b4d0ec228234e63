/**
 * Stops the second click of a double click where the first one has put another element under the pointer, such
 * as Import again in the place of Import (rule N13).
 */
export function guardDoubleClicks(root: HTMLElement): void {
  let clicked: Element | null = null;
  root.addEventListener(
    "click",
    (event) => {
      const target =
        event.target instanceof Element
          ? event.target.closest("button, a, summary, label, input")
          : null;
      if (event.detail > 1 && target !== clicked) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      clicked = target;
    },
    { capture: true },
  );
}
