/**
 * Creates the root of a page whose address has a secret. The page keeps its keyboard focus. It reloads when the browser
 * brings it back from its cache, and when the address gets another secret, because the server was restarted then.
 */
export function openPageRoot(): HTMLElement {
  const root = document.createElement("div");
  document.body.prepend(root);
  keepFocus(root);
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) location.reload();
  });
  addEventListener("hashchange", () => location.reload());
  return root;
}

/**
 * Restores the keyboard focus: when the focused element is removed, moves the focus to its nearest remaining
 * focusable ancestor, or to the first of the ids that an ancestor lists in `data-then`.
 */
function keepFocus(root: HTMLElement): void {
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
