/**
 * Keeps the keyboard's place: where the element that had the focus goes away, the focus moves to the nearest
 * thing around it that is still there and can have it, or to the first of the ids that something around
 * it names in `data-then`.
 */
export function keepFocus(root: HTMLElement): void {
  let path: readonly HTMLElement[] = [];
  root.addEventListener("focusin", ({ target }) => {
    path = pathOf(target, root);
  });
  new MutationObserver(() => {
    if (path[0]?.isConnected !== false || document.activeElement !== document.body) return;
    const next = nextOf(path);
    path = [];
    next?.focus();
  }).observe(root, { childList: true, subtree: true });
}

function pathOf(target: EventTarget | null, root: HTMLElement): readonly HTMLElement[] {
  const path: HTMLElement[] = [];
  let element = target instanceof HTMLElement ? target : null;
  while (element !== null && element !== root) {
    path.push(element);
    element = element.parentElement;
  }
  return path;
}

function nextOf(path: readonly HTMLElement[]): HTMLElement | null {
  for (const element of path) {
    if (element.isConnected && element.hasAttribute("tabindex")) {
      return element;
    }
    for (const id of (element.dataset["then"] ?? "").split(" ")) {
      const next = id === "" ? null : document.getElementById(id);
      if (next !== null) return next;
    }
  }
  return null;
}
