import type { TargetedEvent, VNode } from "preact";
import { MAX_TITLE_LENGTH } from "../../core/limits.ts";
import { Refused, typedText, useAction } from "../kit/action.tsx";
import { t } from "../kit/page-language.ts";
import { CalmPage } from "./calm-page.tsx";
import type { ReceiveState } from "./importer/receive-state.ts";
import type { ReceiveImporter } from "./receive-importer.ts";

interface FirstVisitProps {
  readonly importer: ReceiveImporter;
  readonly view: ReceiveState;
}

/** An explanation of Receive, and the button that registers this browser as a computer (rule RC21). */
export function FirstVisit({ importer, view }: FirstVisitProps): VNode {
  const { needsKey, suggestedName } = view;
  const { begin, isBusy, error } = useAction();
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = typedText(event.currentTarget, "name") || suggestedName;
    const key = typedText(event.currentTarget, "key");
    begin(() => importer.begin(name, ...(key === "" ? [] : [key])));
  };
  return (
    <CalmPage title={t("receive.title")}>
      <p>{t("receive.what")}</p>
      <form onSubmit={submit}>
        <div class="labeled">
          <label for="device-name">{t("receive.name")}</label>
          <input
            id="device-name"
            name="name"
            maxLength={MAX_TITLE_LENGTH}
            autocomplete="off"
            spellcheck={false}
            defaultValue={suggestedName}
            aria-describedby="device-name-hint"
          />
          <p id="device-name-hint" class="quiet hint">
            {t("receive.name-hint")}
          </p>
        </div>
        {needsKey && <KeyField />}
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {isBusy ? t("receive.beginning") : t("receive.begin")}
        </button>
        <Refused error={error} />
      </form>
    </CalmPage>
  );
}

/** A field for the registration key of a relay that asks for one. */
function KeyField(): VNode {
  return (
    <div class="labeled">
      <label for="registration-key">{t("receive.key")}</label>
      <input
        id="registration-key"
        name="key"
        type="password"
        required
        autocomplete="off"
        aria-describedby="registration-key-hint"
      />
      <p id="registration-key-hint" class="quiet hint">
        {t("receive.key-hint")}
      </p>
    </div>
  );
}
