import type { TargetedEvent, VNode } from "preact";
import { usePanel } from "../panel-context.ts";
import { typedText } from "../typed-text.ts";
import { useAction } from "../../../web/use-action.ts";

interface RelayFormProps {
  /** What stands there before one types. */
  readonly address: string;
  readonly label: string;
  readonly button: string;
  /** Nothing else can be done before. */
  readonly isFirst?: boolean;
}

/** One field for a relay's address; a relay that can't be used is told beneath it. */
export function RelayForm({ address, label, button, isFirst = false }: RelayFormProps): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = typedText(event.currentTarget, "address");
    if (typed !== "") begin(() => store.calls.setRelay(typed));
  };
  return (
    <form class="relay" onSubmit={submit}>
      <label for="relay-address">{label}</label>
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
          {isBusy ? "Connecting…" : button}
        </button>
      </div>
      <p id="relay-error" class="error" role="alert">
        {error}
      </p>
    </form>
  );
}
