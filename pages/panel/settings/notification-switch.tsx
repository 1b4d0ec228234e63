import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useAction } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";
import { notificationsOf, switchNotifications } from "../notifications.ts";

/** A switch for notifications of new packages (rule N27); nothing in Live's dialog, or where the browser has none. */
export function NotificationSwitch(): VNode | null {
  const { store } = usePanel();
  const [state, setState] = useState(notificationsOf());
  const { begin } = useAction();
  if (state === "missing" || store.isDialog) return null;
  return (
    <section aria-labelledby="notify">
      <h3 id="notify">{t("panel.notify")}</h3>
      <label class="choice">
        <input
          type="checkbox"
          checked={state === "on"}
          disabled={state === "blocked"}
          aria-describedby="notify-blocked"
          onChange={({ currentTarget }) => {
            const isOn = currentTarget.checked;
            // The browser's answer decides, not the click.
            currentTarget.checked = false;
            begin(
              () => switchNotifications(isOn),
              () => setState(notificationsOf()),
            );
          }}
        />
        <span>{t("panel.notify-new")}</span>
      </label>
      <p id="notify-blocked" class="quiet hint" role="status">
        {state === "blocked" && t("panel.notify-blocked")}
      </p>
    </section>
  );
}
