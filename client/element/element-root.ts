import type { ViewStore } from "../../core/view-store.ts";
import { h, setChildren, setText } from "./dom.ts";
import type { ElementView } from "./element-view.ts";
import { addBar } from "./sections/add-bar.ts";
import { codeForm, computers } from "./sections/pairing.ts";
import type { Section, SectionDeps } from "./sections/section.ts";
import { sendBar, sentPackage, unfinishedPackages } from "./sections/sending.ts";
import { soundList } from "./sections/sounds.ts";
import { STYLE } from "./style.ts";

/** Ids of the elements that may get the focus after the focused one disappears, in this order. */
const FOCUS = ["cancel", "more", "code", "choose", "send"];

/**
 * Fills a shadow root with the element's sections and shows each change of the view in them.
 * @returns a function that ends it
 */
export function fillRoot(
  root: ShadowRoot,
  store: ViewStore<ElementView>,
  deps: SectionDeps,
): () => void {
  const makers = [computers, unfinishedPackages, codeForm, soundList, addBar, sendBar, sentPackage];
  const sections = [...makers.map((make) => make(deps)), messages()];
  const box = h(
    "div",
    { part: "box", class: "box", role: "group", "aria-label": deps.t("send.label") },
    h("slot", { hidden: true }),
    ...sections.map(({ node }) => node),
  );
  root.replaceChildren(box);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const show = (): void => {
    const focused = root.activeElement;
    for (const section of sections) section.show(store.view);
    if (focused !== null && !isVisible(focused)) moveFocus(root);
  };
  takeDrops(box, store, deps);
  show();
  return store.subscribe(show);
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
  store: ViewStore<ElementView>,
  { sounds, sources }: SectionDeps,
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
    void sounds.add(files.map((source) => ({ source })));
  });
}

/** Shows errors to everyone, and announces events to screen readers. */
function messages(): Section {
  const errors = h("div", { id: "errors", part: "errors", role: "alert", class: "errors" });
  const live = h("p", { class: "unseen", role: "status" });
  return {
    node: h("div", { class: "messages" }, errors, live),
    show: (view) => {
      const texts = [...errors.children].map(({ textContent }) => textContent);
      const isNew = texts.join("\n") !== view.errors.join("\n");
      if (isNew)
        setChildren(
          errors,
          view.errors.map((sentence) => h("p", {}, sentence)),
        );
      setText(live, view.announcement);
    },
  };
}
