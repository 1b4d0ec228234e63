/** Moves the focus to the element of this id, once what goes on is drawn. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => {
    requestAnimationFrame(() => document.getElementById(id)?.focus());
  });
}
