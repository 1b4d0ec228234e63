import { formatProgress } from "../../send/words/format-progress.ts";
import { button, h, setText } from "../dom.ts";
import type { Section, SectionDeps } from "./section.ts";

/** Sends, shows how far it is, and stops it. */
export function sendBar({ t, sending: actions }: SectionDeps): Section {
  const primary = { id: "send", part: "button primary", class: "primary wide" };
  const send = button("", () => void actions.send(), primary);
  const words = h("span", { id: "words", class: "grow" });
  const bar = h("progress", { part: "progress", max: 1, "aria-labelledby": "words" });
  const cancel = button(t("page.cancel"), () => actions.cancel(), { id: "cancel" });
  const trouble = h("p", { class: "quiet", role: "status" });
  const running = h(
    "div",
    { class: "stack" },
    h("div", { class: "line" }, words, cancel),
    bar,
    trouble,
  );
  const node = h("div", {}, send, running);
  return {
    node,
    show: ({ computers, isPairing, sounds, sent, sending, recording, reading }) => {
      const [target] = computers ?? [];
      const isReady = sounds.length > 0 && recording === null && reading === 0 && !isPairing;
      send.hidden = target === undefined || sending !== null || sent !== null || !isReady;
      setText(send, t("page.sendTo", { computer: target?.deviceName ?? "" }));
      running.hidden = sending === null;
      node.hidden = send.hidden && running.hidden;
      if (sending === null) return;
      const progress = formatProgress(t, sending.progress);
      setText(words, progress.words);
      if (progress.part === null) bar.removeAttribute("value");
      else bar.value = progress.part;
      setText(trouble, sending.trouble);
    },
  };
}
