import type { Translate } from "../../../core/messages/translate.ts";
import { formatStatus } from "../../../core/text/format-outcome.ts";
import type { SendSession } from "../../send/session/send-session.ts";
import type { SentItem, UnfinishedItem } from "../../send/session/session-view.ts";
import {
  formatPackageStatus,
  formatSending,
  formatResultError,
} from "../../send/words/format-status.ts";
import { button, h, setChildren, setText } from "../dom.ts";
import { type Section, type SectionDeps, shownItems } from "./section.ts";

/** Starts a send, shows its progress, and cancels it. */
export function sendBar({ t, session }: SectionDeps): Section {
  const { sending: actions } = session;
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
    show: (view) => {
      const { computers, isPairing, sounds, sending, recording, reading } = view;
      const [target] = computers ?? [];
      const isReady = sounds.length > 0 && recording === null && reading === 0 && !isPairing;
      send.hidden =
        target === undefined || sending !== null || shownItems(view).length > 0 || !isReady;
      setText(send, t("page.sendTo", { computer: target?.name ?? "" }));
      running.hidden = sending === null;
      node.hidden = send.hidden && running.hidden;
      if (sending === null) return;
      const progress = formatSending(t, sending);
      setText(words, progress.words);
      if (progress.part === null) bar.removeAttribute("value");
      else bar.value = progress.part;
      const paused = sending.trouble?.sentence;
      setText(trouble, paused === undefined ? "" : t("send.paused", { trouble: paused }));
    },
  };
}

/** Shows the status of the sent packages and the result of each sound. */
export function sentPackages({ t, session }: SectionDeps): Section {
  const rows = new Map<string, SentRow>();
  let items: readonly SentItem[] = [];
  const primary = { id: "more", part: "button primary", class: "primary" };
  const dismiss = (): void => items.forEach((item) => session.sent.dismiss(item));
  const more = button(t("send.more"), dismiss, primary);
  const node = h("div", { part: "sent", class: "stack" });
  return {
    node,
    show: (view) => {
      items = shownItems(view);
      node.hidden = items.length === 0 || view.sending !== null;
      const shown = items.map((item) => {
        const row = rows.get(item.packageId) ?? sentRow(t, session);
        rows.set(item.packageId, row);
        row.show(item);
        return row;
      });
      setChildren(
        node,
        shown.map((row) => row.node),
      );
      const actions = shown.at(-1)?.actions;
      if (more.parentNode !== actions) actions?.prepend(more);
    },
  };
}

interface SentRow {
  readonly node: HTMLElement;
  readonly actions: HTMLElement;
  show(item: SentItem): void;
}

function sentRow(t: Translate, { sent }: SendSession): SentRow {
  let shown: SentItem | null = null;
  const title = h("strong", { class: "name" });
  const words = h("span", { class: "tone" });
  const next = h("p", { class: "quiet" });
  const list = h("ul", { part: "results", role: "list", "aria-label": t("page.sounds") });
  const withdraw = button(t("page.withdrawNow"), () => void (shown && sent.withdraw(shown)));
  const actions = h("div", { class: "line wrap" }, withdraw);
  const line = h("div", { class: "line wrap" }, title, words);
  return {
    node: h("div", { class: "stack" }, line, next, list, actions),
    actions,
    show: (item) => {
      shown = item;
      const status = formatPackageStatus(t, item);
      setText(title, item.title);
      setText(words, status.words);
      words.dataset["tone"] = status.tone;
      setText(next, status.next ?? "");
      next.hidden = status.next === null;
      setChildren(list, resultsOf(t, item));
      list.hidden = item.results === null;
      withdraw.hidden = item.status !== "waiting";
    },
  };
}

function resultsOf(t: Translate, { sounds, results }: SentItem): readonly Element[] {
  if (results === null) return [];
  return sounds.map(({ id, name }) => {
    const { status = "failed", error } = results[id] ?? {};
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
export function unfinishedPackages({ t, session }: SectionDeps): Section {
  const { sending } = session;
  const rows = new Map<string, HTMLElement>();
  const node = h("ul", { part: "unfinished", role: "list" });
  const rowOf = (one: UnfinishedItem): HTMLElement => {
    const { keepId: id, title = "" } = one.unfinished;
    const described = { "aria-describedby": id };
    return h(
      "li",
      { class: "line wrap" },
      h("span", { class: "grow", id }, t("send.interrupted", { title })),
      ...(one.computer === null
        ? []
        : [button(t("send.resume"), () => void sending.resume(one), described)]),
      button(t("send.discard"), () => void sending.discard(one), described),
    );
  };
  return {
    node,
    show: ({ unfinished, sending: isSending, isPairing, computers }) => {
      const isElsewhere = isPairing && computers?.length !== 0;
      node.hidden = unfinished.length === 0 || isSending !== null || isElsewhere;
      const shown = unfinished.map((one) => {
        const key = `${one.unfinished.keepId} ${one.computer?.pairing.token}`;
        const row = rows.get(key) ?? rowOf(one);
        rows.set(key, row);
        return row;
      });
      setChildren(node, shown);
    },
  };
}
