import type { VNode } from "preact";
import { useId } from "preact/hooks";
import type { LanChoice, PanelLan } from "../../../core/protocol/panel-api.ts";
import { useAction } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";

interface LanSwitchProps {
  readonly lan: PanelLan;
  /** The relay's address on this computer, which has the same scheme as those in the network. */
  readonly relayUrl: string | null;
}

/** The switch that lets devices in the local network send, what that means, and "Keep on" (rule N31). */
export function LanSwitch({ lan, relayUrl }: LanSwitchProps): VNode {
  const { isOn, keepsOn, trouble, fixedBecause } = lan;
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const [meaningId, elseId] = [useId(), useId()];
  const choose = (box: HTMLInputElement, choice: LanChoice): void =>
    begin(async () => {
      try {
        await store.calls.send("setLan", choice);
      } catch (failure) {
        // A box that didn't change in the state isn't drawn again.
        box.checked = !box.checked;
        throw failure;
      }
    });
  /** Ignores the second click of a double click. */
  const onClick = (event: Event): void => {
    if (isBusy) event.preventDefault();
  };
  return (
    <div class="lan-switch">
      {fixedBecause === null ? (
        <label class="choice">
          <input
            type="checkbox"
            checked={isOn}
            aria-describedby={meaningId}
            onClick={onClick}
            onChange={({ currentTarget: box }) =>
              choose(box, { isOn: box.checked, keepsOn: false })
            }
          />
          <strong>{t("panel.lan-switch")}</strong>
        </label>
      ) : (
        <p>{fixedBecause}</p>
      )}
      <p id={meaningId} class="quiet">
        {relayUrl?.startsWith("https:") !== true && t("panel.lan-http")}
      </p>
      {fixedBecause === null && (
        <label class="choice">
          <input
            type="checkbox"
            checked={keepsOn}
            disabled={!isOn}
            aria-describedby={elseId}
            onClick={onClick}
            onChange={({ currentTarget: box }) => choose(box, { isOn: true, keepsOn: box.checked })}
          />
          <span>
            {t("panel.lan-keep")} <small id={elseId}>{t("panel.lan-keep-else")}</small>
          </span>
        </label>
      )}
      <p class="lan-trouble error" role="status">
        {trouble ?? error}
      </p>
    </div>
  );
}
