/**
 * Moves the focus between a row and its controls: right to the next one, left to the one before or to the
 * row itself. Returns whether the key is one of these.
 */
export function focusControl(row: HTMLElement, key: string): boolean {
  if (key !== "ArrowLeft" && key !== "ArrowRight") return false;
  const controls = [...row.querySelectorAll<HTMLElement>("button, input, a[href]")].filter(
    (control) => control.offsetParent !== null,
  );
  const stops = [row, ...controls];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[Math.max(0, at) + (key === "ArrowRight" ? 1 : -1)];
  next?.focus();
  return true;
}
