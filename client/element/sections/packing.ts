import {
  asksPacking,
  formatPacking,
  formatPackQuestion,
  packingOf,
} from "../../send/session/session-packing.ts";
import type { SessionSounds } from "../../send/session/session-sounds.ts";
import { button, h, setChildren } from "../dom.ts";
import type { Section, SectionDeps } from "./section.ts";

/** Asks how to send sounds that one package can't hold. The answer can be changed until Send. */
export function packQuestion({ t }: SectionDeps, sounds: SessionSounds): Section {
  const node = h("div", { class: "stack sunk", role: "group", "aria-labelledby": "pack" });
  let asked = "";
  return {
    node,
    show: (view) => {
      node.hidden = !asksPacking(view);
      if (node.hidden) return;
      const { plan, chosen } = packingOf(view);
      const question = formatPackQuestion(t, view);
      const choices = plan.choices.map((choice) => formatPacking(t, choice));
      const text = [question, ...choices].join();
      if (text !== asked) {
        const buttons = plan.choices.map(({ as16, packages: { length: count } }, index) =>
          button(choices[index] ?? "", () => sounds.answerPacking({ as16, count })),
        );
        setChildren(node, [h("p", { id: "pack" }, question), ...buttons]);
      }
      asked = text;
      for (const [index, choice] of plan.choices.entries()) {
        node.children[index + 1]?.setAttribute("aria-pressed", String(choice === chosen));
      }
    },
  };
}
