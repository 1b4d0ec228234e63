import { MAX_SOUNDS } from "../../core/limits.ts";
import type { ViewStore } from "../../core/view-store.ts";
import { button, h, icon, ICONS, setChildren, setText } from "./dom.ts";
import type { RefusedSound, SessionView } from "../send/session/session-view.ts";
import { addBar } from "./sections/add-bar.ts";
import { codeForm, computers } from "./sections/pairing.ts";
import { type Section, type SectionDeps, shownItems } from "./sections/section.ts";
import { sendBar, sentPackages, unfinishedPackages } from "./sections/sending.ts";
import { STYLE } from "./style.ts";

/** Ids of the elements that may get the focus after the focused one disappears, in this order. */
const FOCUS = ["cancel", "more", "code", "choose", "send"];

/**
 * Fills a shadow root with the element's sections and shows each change of the view in them.
 * @returns a function that ends it
 */
export function fillRoot(
  root: ShadowRoot,
  store: ViewStore<SessionView>,
  deps: SectionDeps,
): () => void {
  const style = (text: string): void => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    root.adoptedStyleSheets.push(sheet);
  };
  root.adoptedStyleSheets = [];
  const sounds = (own: SectionDeps): Section => soundsOnceLoaded(own, style);
  const makers = [computers, unfinishedPackages, codeForm, sounds, addBar, sendBar, sentPackages];
  const sections = [...makers.map((make) => make(deps)), messages(deps)];
  const box = h(
    "div",
    { part: "box", class: "box", role: "group", "aria-label": deps.t("send.label") },
    h("slot", { hidden: true }),
    ...sections.map(({ node }) => node),
  );
  root.replaceChildren(box);
  style(STYLE);
  const show = (): void => {
    const focused = root.activeElement;
    for (const section of sections) section.show(store.view);
    if (focused !== null && !isVisible(focused)) moveFocus(root);
  };
  takeDrops(box, store, deps);
  show();
  return store.subscribe(show);
}

/** Shows the sounds once the part that handles them is loaded. */
function soundsOnceLoaded(deps: SectionDeps, style: (text: string) => void): Section {
  const node = h("div");
  let list: Section | undefined;
  return {
    node,
    show: (view) => {
      const part = deps.part();
      if (list === undefined && part !== null) {
        list = part.show(deps);
        style(part.style);
      }
      list?.show(view);
      node.hidden = list?.node.hidden ?? true;
      setChildren(node, list === undefined ? [] : [list.node]);
    },
  };
}

function moveFocus(root: ShadowRoot): void {
  const next = FOCUS.map((id) => root.getElementById(id)).find(
    (element) => element !== null && isVisible(element),
  );
  next?.focus();
}

function isVisible(element: Element): boolean {
  return element.isConnected && element.getClientRects().length > 0;
}

/** Accepts dropped files while files may be chosen. */
function takeDrops(
  box: HTMLElement,
  store: ViewStore<SessionView>,
  { add, sources }: SectionDeps,
): void {
  const isWanted = ({ dataTransfer }: DragEvent): boolean =>
    (dataTransfer?.types.includes("Files") ?? false) &&
    sources().has("files") &&
    store.view.sending === null &&
    (store.view.computers ?? []).length > 0;
  box.addEventListener("dragover", (event) => {
    if (!isWanted(event)) return;
    event.preventDefault();
    box.classList.add("dropping");
  });
  box.addEventListener("dragleave", () => box.classList.remove("dropping"));
  box.addEventListener("drop", (event) => {
    box.classList.remove("dropping");
    if (!isWanted(event)) return;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    void add(files.map((source) => ({ source })));
  });
}

/** Shows errors to everyone, and announces events to screen readers. */
function messages(deps: SectionDeps): Section {
  let shown = "";
  const errors = h("div", { id: "errors", part: "errors", role: "alert", class: "errors" });
  const live = h("p", { class: "unseen", role: "status" });
  return {
    node: h("div", { class: "messages" }, errors, live),
    show: (view) => {
      const now = errorsOf(view);
      const refused = view.refused.map((one) => refusedSound(deps, one));
      const all = [...now.map((sentence) => h("p", {}, sentence)), ...refused];
      const text = all.map(({ textContent }) => textContent).join("\n");
      if (text !== shown) setChildren(errors, all);
      shown = text;
      setText(live, view.announcement);
    },
  };
}

/** Lists everything that is wrong, the most urgent first. */
function errorsOf(view: SessionView): readonly string[] {
  const { notice, codeError, error } = view;
  const found = [notice, codeError, error, ...shownItems(view).map(({ trouble }) => trouble)];
  return found.filter((sentence) => sentence !== null);
}

/** A sound that can't be sent, with the reason and a button that removes it. */
function refusedSound({ t, part }: SectionDeps, refused: RefusedSound): HTMLElement {
  const { key, name, sentence } = refused;
  const act = (): void => part()?.sounds.remove([key]);
  const label = t("send.removeSound", { name });
  const remove = button("", act, { class: "plain square", "aria-label": label });
  remove.append(icon(ICONS.remove));
  const reason = sentence ?? t("page.oneTooMany", { file: name, max: MAX_SOUNDS });
  return h("p", {}, reason, " ", remove);
}
