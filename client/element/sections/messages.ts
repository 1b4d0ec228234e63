import { h, setChildren, setText } from "../dom.ts";
import type { Section } from "./section.ts";

/** What went wrong, for everyone, and what happened, for screen readers. */
export function messages(): Section {
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
