/** Moves the focus to the element with this id after the next render. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => {
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  });
}
