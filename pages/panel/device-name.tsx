import type { TargetedEvent, VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { MAX_TITLE_LENGTH } from "../../core/limits.ts";
import { usePanel } from "./panel-context.ts";
import { typedText } from "./typed-text.ts";
import { useAction } from "../kit/use-action.ts";
import { t } from "../kit/text.tsx";

/** This computer's name as apps see it, and a form to change it. */
export function DeviceName({ name }: { readonly name: string }): VNode {
  const [isEdited, setIsEdited] = useState(false);
  if (isEdited) return <NameForm name={name} onDone={() => setIsEdited(false)} />;
  return (
    <p class="device">
      <bdi>{name}</bdi>
      <button
        type="button"
        class="plain"
        id="rename"
        aria-label={t("panel.rename-title", { name })}
        onClick={() => setIsEdited(true)}
      >
        {t("panel.rename")}
      </button>
    </p>
  );
}

interface NameFormProps {
  readonly name: string;
  readonly onDone: () => void;
}

function NameForm({ name, onDone }: NameFormProps): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = typedText(event.currentTarget, "name");
    if (typed === "" || typed === name) onDone();
    else begin(() => store.calls.rename(typed), onDone);
  };
  return (
    <form
      class="device"
      data-then="rename"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
    >
      <input
        ref={field}
        id="device-name"
        name="name"
        aria-label={t("panel.computer-name")}
        aria-describedby="device-name-error"
        aria-invalid={error !== null}
        maxLength={MAX_TITLE_LENGTH}
        autocomplete="off"
        spellcheck={false}
        defaultValue={name}
      />
      <button type="submit" aria-disabled={isBusy}>
        {t("panel.save")}
      </button>
      <span id="device-name-error" class="error" role="alert">
        {error}
      </span>
    </form>
  );
}
