import type { VNode } from "preact";
import { useId } from "preact/hooks";
import {
  formatPacking,
  formatPackQuestion,
  packingOf,
} from "../../../client/send/session/session-packing.ts";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";

/** Asks how to send sounds that one package can't hold. The answer stays on screen and can be changed until Send. */
export function PackQuestion({ view }: { readonly view: PageView }): VNode {
  const { sounds } = usePage();
  const id = useId();
  const { plan, chosen } = packingOf(view);
  return (
    <div class="question pack" role="group" aria-labelledby={id}>
      <p id={plan.choices.length === 0 ? "question" : id} tabIndex={-1}>
        {formatPackQuestion(t, view)}
      </p>
      {plan.choices.map((choice, index) => {
        const { as16, packages } = choice;
        return (
          <button
            key={as16}
            type="button"
            id={index === 0 ? "question" : undefined}
            aria-pressed={choice === chosen}
            onClick={() => sounds.answerPacking({ as16, count: packages.length })}
          >
            {formatPacking(t, choice)}
          </button>
        );
      })}
    </div>
  );
}
