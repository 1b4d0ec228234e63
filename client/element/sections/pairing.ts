import { PAIRING_CODE_SECONDS } from "../../../core/limits.ts";
import { receivePageOf } from "../../../core/protocol/receive-page.ts";
import type { Computer } from "../../send/session/session-view.ts";
import { button, h, icon, ICONS, setChildren, setText } from "../dom.ts";
import type { Section, SectionDeps } from "./section.ts";

/** Shows the computer that the sounds go to, and opens the list of all computers. */
export function computers(deps: SectionDeps): Section {
  const { t } = deps;
  const { pairing } = deps.session;
  const name = h("bdi");
  const opener = h(
    "button",
    {
      part: "button target",
      class: "plain",
      type: "button",
      "aria-expanded": "false",
      "aria-controls": "computers",
      onclick: () => open(opener.getAttribute("aria-expanded") === "false"),
    },
    name,
    icon(ICONS.more),
  );
  const another = button(t("page.pairAnother"), () => pairing.ask(""));
  const list = h("ul", { role: "list", "aria-label": t("page.computers") });
  const panel = h("div", { id: "computers", class: "stack sunk", hidden: true }, list, another);
  const open = (isOpen: boolean): void => {
    opener.setAttribute("aria-expanded", String(isOpen));
    panel.hidden = !isOpen;
  };
  const rows = new Map<string, HTMLElement>();
  const node = h("div", { part: "computers", class: "stack" }, opener, panel);
  return {
    node,
    show: ({ computers: all, isPairing, sending }) => {
      const [target] = all ?? [];
      node.hidden = target === undefined || isPairing || sending !== null;
      if (target === undefined) return;
      if (isPairing) open(false);
      setText(name, t("page.sendsTo", { computer: target.name }));
      const shown = new Set<Element>();
      for (const one of all ?? []) {
        const { token } = one.pairing;
        const row = rows.get(token) ?? computerRow(deps, one);
        rows.set(token, row);
        const radio = row.querySelector("input");
        if (radio !== null) radio.checked = one === target;
        shown.add(row);
      }
      // The order stays when another computer is picked.
      setChildren(
        list,
        [...rows.values()].filter((row) => shown.has(row)),
      );
    },
  };
}

/** Shows one computer: picks it, and unpairs it after a second click. */
function computerRow({ t, session }: SectionDeps, computer: Computer): HTMLElement {
  const { pairing } = session;
  const { name } = computer;
  const radio = h("input", {
    type: "radio",
    name: "computer",
    onchange: () => void pairing.pick(computer),
  });
  const end = (): Promise<void> =>
    pairing.unpair(computer).catch((error: unknown) => pairing.fail(error));
  const ask = (isAsking: boolean): void => {
    unpair.hidden = isAsking;
    sure.hidden = keep.hidden = !isAsking;
    (isAsking ? keep : unpair).focus();
  };
  const unpairNamed = t("page.unpair", { name });
  const plain = { class: "plain" };
  const named = { ...plain, "aria-label": unpairNamed };
  const unpair = button(t("page.unpairNow"), () => ask(true), named);
  const sure = button(unpairNamed, () => void end(), plain);
  const keep = button(t("page.keep"), () => ask(false), plain);
  sure.hidden = keep.hidden = true;
  const label = h("label", { class: "grow" }, radio, h("bdi", {}, name));
  return h("li", { class: "line" }, label, unpair, sure, keep);
}

/** Longer answers mean that the relay waits for a yes on the computer (rule P12). */
const SLOW_MS = 3000;

/** Asks for the code that the computer shows. */
export function codeForm(deps: SectionDeps): Section {
  const { t, session } = deps;
  const { pairing } = session;
  let isBusy = false;
  const field = h("input", {
    id: "code",
    part: "field code",
    class: "code",
    autocomplete: "off",
    autocapitalize: "characters",
    autocorrect: "off",
    enterkeyhint: "go",
    spellcheck: "false",
    placeholder: "K7M Q2X",
    "aria-describedby": "hint errors",
    oninput: () => pairing.ask(field.value),
  });
  const submit = h("button", { part: "button primary", class: "primary" }, t("page.pair"));
  const cancel = button(t("page.cancel"), () => pairing.close());
  const hint = h("p", { id: "hint", class: "quiet", role: "status" });
  const pair = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    submit.setAttribute("aria-disabled", "true");
    const slow = setTimeout(() => setText(hint, t("page.allowInPanel")), SLOW_MS);
    const isPaired = await pairing.pair(field.value);
    clearTimeout(slow);
    isBusy = false;
    submit.removeAttribute("aria-disabled");
    setText(hint, whereIsCode);
    if (!isPaired) field.focus();
  };
  const whereIsCode = t("page.whereIsCode", { minutes: PAIRING_CODE_SECONDS / 60 });
  setText(hint, whereIsCode);
  const node = h(
    "form",
    { part: "pairing", class: "stack", onsubmit: (event) => void pair(event) },
    h("label", { for: "code" }, t("page.pairingCode")),
    h("div", { class: "line" }, field, submit, cancel),
    hint,
    ...receiveHint(deps),
  );
  return {
    node,
    show: ({ isPairing, code, computers, codeError }) => {
      const isUnpaired = computers?.length === 0;
      node.hidden = !isPairing && !isUnpaired;
      cancel.hidden = isUnpaired;
      if (field.value !== code) field.value = code;
      field.setAttribute("aria-invalid", String(codeError !== null));
    },
  };
}

/** Names the page that receives without anything installed, as a link, where there is one (rule W55). */
function receiveHint({ t, relayUrl }: SectionDeps): readonly HTMLElement[] {
  const href = receivePageOf(relayUrl);
  if (href === null) return [];
  // The placeholder is filled with itself, and the link then takes its place.
  const [before = "", after = ""] = t("page.receiveInstead", { address: "{address}" }).split(
    "{address}",
  );
  const link = h(
    "a",
    { href, target: "_blank", rel: "noopener" },
    href.replace(/^https?:\/\//, ""),
  );
  return [h("p", { part: "receive", class: "quiet" }, before, link, after)];
}
