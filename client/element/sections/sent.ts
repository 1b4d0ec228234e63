import type { Translate } from "../../../core/messages/translate.ts";
import { formatStatus } from "../../../core/text/format-outcome.ts";
import { formatResultError } from "../../send/words/format-result-error.ts";
import { formatPackageStatus } from "../../send/words/format-status.ts";
import { button, h, setChildren, setText } from "../dom.ts";
import type { SentNews } from "../element-view.ts";
import type { Section, SectionDeps } from "./section.ts";

/** What became of the sent package, and of each sound. */
export function sentPackage({ t, sending }: SectionDeps): Section {
  const title = h("strong", { class: "name" });
  const words = h("span", { class: "tone" });
  const next = h("p", { class: "quiet" });
  const list = h("ul", { part: "results", role: "list", "aria-label": t("page.sounds") });
  const withdraw = button(t("page.withdrawNow"), () => void sending.withdraw());
  const primary = { id: "more", part: "button primary", class: "primary" };
  const more = button(t("send.more"), () => sending.sendMore(), primary);
  const node = h(
    "div",
    { part: "sent", class: "stack" },
    h("div", { class: "line wrap" }, title, words),
    next,
    list,
    h("div", { class: "line wrap" }, more, withdraw),
  );
  return {
    node,
    show: ({ sent, sending: isSending }) => {
      node.hidden = sent === null || isSending !== null;
      if (sent === null) return;
      const status = formatPackageStatus(t, sent);
      setText(title, sent.title);
      setText(words, status.words);
      words.dataset["tone"] = status.tone;
      setText(next, status.next ?? "");
      next.hidden = status.next === null;
      setChildren(list, sent.results === null ? [] : resultsOf(t, sent));
      list.hidden = sent.results === null;
      withdraw.hidden = sent.status !== "waiting";
    },
  };
}

function resultsOf(t: Translate, { sounds, results }: SentNews): readonly Element[] {
  return sounds.map(({ id, name }) => {
    const { status = "failed", error } = results?.[id] ?? {};
    const tone = status === "imported" ? "good" : status === "skipped" ? "quiet" : "bad";
    return h(
      "li",
      { class: "line wrap" },
      h("span", { class: "name" }, name),
      h("span", { class: "tone", "data-tone": tone }, formatStatus(t, status)),
      ...(error === undefined
        ? []
        : [h("span", { class: "quiet why" }, formatResultError(t, error))]),
    );
  });
}
