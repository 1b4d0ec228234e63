import type { TargetedEvent, VNode } from "preact";
import { usePanel } from "../panel-store.ts";
import { typedText, useAction } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";

interface RelayFormProps {
  /** The field's initial text. */
  readonly address: string;
  readonly button: string;
  /** Set at first run. */
  readonly isFirst?: boolean;
}

/** A form for a relay's address, with its error below. */
export function RelayForm({ address, button, isFirst = false }: RelayFormProps): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = typedText(event.currentTarget, "address");
    if (typed !== "") begin(() => store.calls.send("setRelay", { address: typed }));
  };
  return (
    <form class="relay" onSubmit={submit}>
      <label for="relay-address">{t("panel.relay-address")}</label>
      <div class="field">
        <input
          id="relay-address"
          name="address"
          inputMode="url"
          autocomplete="url"
          autocapitalize="none"
          spellcheck={false}
          placeholder="relay.example.com"
          defaultValue={address}
          aria-invalid={error !== null}
          aria-describedby="relay-error"
        />
        <button type="submit" class={isFirst ? "primary" : ""} aria-disabled={isBusy}>
          {isBusy ? t("panel.relay-busy") : button}
        </button>
      </div>
      <p id="relay-error" class="error" role="alert">
        {error}
      </p>
    </form>
  );
}
