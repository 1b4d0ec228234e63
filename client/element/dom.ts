/** Attributes by name, and listeners by `on` and the event's name. `false` leaves an attribute out. */
type Props = Readonly<Record<string, string | number | boolean | ((event: Event) => void)>>;

const SVG = "http://www.w3.org/2000/svg";

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

export function button(
  text: string,
  act: (event: Event) => void,
  props: Props = {},
): HTMLButtonElement {
  return h("button", { part: "button", type: "button", onclick: act, ...props }, text);
}

/** Creates a drawing of 12 × 12 in the text's color, which screen readers skip. */
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 12 12");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(SVG, "path"));
  draw(svg, path);
  return svg;
}

export function draw(svg: SVGElement, path: string): void {
  svg.firstElementChild?.setAttribute("d", path);
}

/** Sets a text if it differs, so that a selection in it and screen readers stay undisturbed. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Replaces the children of a parent; those that are already there keep their focus. */
export function setChildren(parent: Element, children: readonly Element[]): void {
  for (const old of Array.from(parent.children)) if (!children.includes(old)) old.remove();
  for (const [index, child] of children.entries()) {
    const there = parent.children[index];
    if (there !== child) parent.insertBefore(child, there ?? null);
  }
}

export const ICONS = {
  play: "M3 1.5v9l7-4.5z",
  stop: "M2.5 2.5h7v7h-7z",
  record: "M6 2a4 4 0 1 0 0 8a4 4 0 1 0 0-8z",
  remove: "M2.2 3.2l1-1L6 5l2.8-2.8 1 1L7 6l2.8 2.8-1 1L6 7 3.2 9.8l-1-1L5 6z",
  more: "M2 4l4 4 4-4z",
} as const;
