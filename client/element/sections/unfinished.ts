import { button, h, setChildren } from "../dom.ts";
import type { Unfinished } from "../../send/unfinished.ts";
import type { Section, SectionDeps } from "./section.ts";

/** Packages that an earlier visit could not finish: each can be resumed or discarded. */
export function unfinishedPackages({ t, sending }: SectionDeps): Section {
  const rows = new Map<string, HTMLElement>();
  const node = h("ul", { part: "unfinished", role: "list" });
  const rowOf = (one: Unfinished): HTMLElement => {
    return h(
      "li",
      { class: "line wrap" },
      h("span", { class: "grow" }, t("send.interrupted", { title: one.title ?? "" })),
      button(t("send.resume"), () => void sending.resume(one)),
      button(t("send.discard"), () => void sending.discard(one)),
    );
  };
  return {
    node,
    show: ({ unfinished, sending: isSending, isPairing }) => {
      node.hidden = unfinished.length === 0 || isSending !== null || isPairing;
      const shown = unfinished.map((one) => {
        const row = rows.get(one.id) ?? rowOf(one);
        rows.set(one.id, row);
        return row;
      });
      setChildren(node, shown);
    },
  };
}
