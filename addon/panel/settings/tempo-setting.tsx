import type { VNode } from "preact";
import { usePanel } from "../panel-context.ts";
import { Refused } from "../../../web/refused.tsx";
import { useAction } from "../../../web/use-action.ts";

/** Whether clips are made again where the host guessed their tempo wrong (rule H6). */
export function TempoSetting({ isOn }: { readonly isOn: boolean }): VNode {
  const { store } = usePanel();
  const { begin, error } = useAction();
  return (
    <div>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby="tempo-hint"
          onChange={({ currentTarget }) =>
            begin(() => store.calls.correctTempo(currentTarget.checked))
          }
        />
        <span>Correct the tempo of clips</span>
      </label>
      <p id="tempo-hint" class="quiet hint">
        Where Live guesses a loop’s tempo wrong, the clip is made again at the right one. Nobody has
        tried this in a real Live yet.
      </p>
      <Refused error={error} />
    </div>
  );
}
