import type { Translate } from "../../../core/messages/translate.ts";
import { formatStatus } from "../../../core/text/format-outcome.ts";
import type { Unfinished } from "../../send/send-options.ts";
import {
  formatPackageStatus,
  formatProgress,
  formatResultError,
} from "../../send/words/format-status.ts";
import { button, h, setChildren, setText } from "../dom.ts";
import type { SentNews } from "../element-view.ts";
import type { Section, SectionDeps } from "./section.ts";

/** Starts a send, shows its progress, and cancels it. */
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

/** Shows the status of the sent package and the result of each sound. */
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

/** Lists the packages that an earlier visit could not finish, to resume or discard. */
export function unfinishedPackages({ t, sending }: SectionDeps): Section {
  const rows = new Map<string, HTMLElement>();
  const node = h("ul", { part: "unfinished", role: "list" });
  const rowOf = (one: Unfinished): HTMLElement =>
    h(
      "li",
      { class: "line wrap" },
      h("span", { class: "grow" }, t("send.interrupted", { title: one.title ?? "" })),
      button(t("send.resume"), () => void sending.resume(one)),
      button(t("send.discard"), () => void sending.discard(one)),
    );
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
