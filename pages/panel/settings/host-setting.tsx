import type { VNode } from "preact";
import type { PanelHostSetting } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { Refused } from "../../kit/refused.tsx";
import { useAction } from "../../kit/use-action.ts";

/** A switch for a host setting. */
export function HostSetting({ setting }: { readonly setting: PanelHostSetting }): VNode {
  const { id, label, help, value } = setting;
  const { store } = usePanel();
  const { begin, error } = useAction();
  return (
    <div>
      <label class="choice">
        <input
          type="checkbox"
          checked={value}
          aria-describedby={`help-${id}`}
          onChange={({ currentTarget }) =>
            begin(() => store.calls.setHostSetting(id, currentTarget.checked))
          }
        />
        <span>{label}</span>
      </label>
      <p id={`help-${id}`} class="quiet hint">
        {help}
      </p>
      <Refused error={error} />
    </div>
  );
}
