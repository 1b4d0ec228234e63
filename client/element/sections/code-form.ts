import { RELAY_DEFAULTS } from "../../../core/limits.ts";
import { button, h, setText } from "../dom.ts";
import type { Section, SectionDeps } from "./section.ts";

/** Then the relay waits for a yes on the computer (rule P12). */
const SLOW_MS = 3000;

/** Asks for the code that the computer shows. */
export function codeForm({ t, pairing }: SectionDeps): Section {
  let isBusy = false;
  const field = h("input", {
    id: "code",
    part: "field code",
    class: "code",
    autocomplete: "off",
    autocapitalize: "characters",
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
  const whereIsCode = t("page.whereIsCode", {
    minutes: RELAY_DEFAULTS.pairingCodeTtlSeconds / 60,
  });
  setText(hint, whereIsCode);
  const node = h(
    "form",
    { part: "pairing", class: "stack", onsubmit: (event) => void pair(event) },
    h("label", { for: "code" }, t("page.pairingCode")),
    h("div", { class: "line" }, field, submit, cancel),
    hint,
  );
  return {
    node,
    show: ({ isPairing, code, computers, errors }) => {
      node.hidden = !isPairing;
      cancel.hidden = (computers ?? []).length === 0;
      if (field.value !== code) field.value = code;
      field.setAttribute("aria-invalid", String(isPairing && errors.length > 0));
    },
  };
}
