import type { VNode } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { receivePageOf } from "../../../core/protocol/receive-page.ts";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { t } from "../../kit/page-language.ts";
import { Text } from "../../kit/text.tsx";
import { usePage } from "../page-context.ts";
import type { Computer } from "../../../client/send/session/session-view.ts";
import type { PageView } from "../page-view.ts";
import { AskFirst, focusSoon } from "../parts.tsx";
import { formatRoute } from "./format-route.ts";
import { PAIRING_CODE_SECONDS } from "../../../core/limits.ts";
import { MAX_NAME_LENGTH } from "../../../core/limits.ts";
import { defaultSender } from "./sender.ts";

/** The paired computers, and a form to add another. */
export function Computers({ view }: { readonly view: PageView }): VNode {
  const { session, relayUrl } = usePage();
  const { computers, notice } = view;
  const known = computers ?? [];
  const isPaired = known.length > 0;
  return (
    <Dialog
      title={isPaired ? t("page.computers") : t("page.pairWithComputer")}
      onClose={() => session.pairing.close()}
    >
      <div class="pairing">
        {notice !== null && <p class="error">{notice}</p>}
        {isPaired && (
          <ul class="computers" aria-label={t("page.computers")}>
            {known.map((computer, index) => (
              <ComputerRow
                key={computer.pairing.token}
                computer={computer}
                isPicked={index === 0}
              />
            ))}
          </ul>
        )}
        {isPaired && <h3>{t("page.pairAnother")}</h3>}
        <CodeForm view={view} />
        <SenderField sender={view.sender} />
        {formatRoute(location.href, relayUrl).map((sentence) => (
          <p key={sentence} class="hint quiet">
            {sentence}
          </p>
        ))}
      </div>
    </Dialog>
  );
}

interface ComputerRowProps {
  readonly computer: Computer;
  readonly isPicked: boolean;
}

function ComputerRow({ computer, isPicked }: ComputerRowProps): VNode {
  const { pairing } = usePage().session;
  const { name } = computer;
  const unpair = async (): Promise<void> => {
    await pairing.unpair(computer);
    focusSoon("pairing-code");
  };
  return (
    <li>
      <label class="choice title">
        <input
          type="radio"
          name="computer"
          checked={isPicked}
          onChange={() => void pairing.pick(computer)}
        />
        <bdi class="name">{name}</bdi>
      </label>
      <AskFirst action="unpair" name={name} act={unpair} />
    </li>
  );
}

const SLOW_MS = 3000;

/** The name under which the computer lists this browser, and that scenes and tracks have. */
function SenderField({ sender }: { readonly sender: string }): VNode {
  const { actions } = usePage();
  const [id, hintId] = [useId(), useId()];
  return (
    <div class="sender">
      <label for={id}>{t("page.sender")}</label>
      <input
        id={id}
        value={sender}
        autocomplete="off"
        maxLength={MAX_NAME_LENGTH}
        placeholder={defaultSender()}
        aria-describedby={hintId}
        onInput={(event) => actions.nameSender(event.currentTarget.value)}
      />
      <p id={hintId} class="hint quiet">
        {t("page.senderHint")}
      </p>
    </div>
  );
}

/** Asks for the code that the computer shows. If it is refused, the focus stays in its field. */
function CodeForm({ view }: { readonly view: PageView }): VNode {
  const { relayUrl, session } = usePage();
  const { pairing } = session;
  const { code, codeError: error } = view;
  const field = useRef<HTMLInputElement>(null);
  // With a code from a link, one tap pairs, and a phone's keyboard would hide the rest.
  const [hadCode] = useState(code !== "");
  const [isBusy, setIsBusy] = useState(false);
  // The relay then waits for a person's consent (rule P12).
  const isSlow = useIsSlow(isBusy, SLOW_MS);
  const [errorId, hintId] = [useId(), useId()];
  const pair = async (): Promise<void> => {
    setIsBusy(true);
    const isPaired = await pairing.pair(code);
    setIsBusy(false);
    if (isPaired) focusSoon("add-sounds");
    else field.current?.focus();
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isBusy) void pair();
  };
  return (
    <form class="code-form" onSubmit={submit}>
      <label for="pairing-code">{t("page.pairingCode")}</label>
      <div class="field">
        <input
          id="pairing-code"
          ref={field}
          class="code"
          autofocus={!hadCode}
          value={code}
          autocomplete="off"
          autocapitalize="characters"
          autoCorrect="off"
          inputMode="text"
          enterKeyHint="go"
          spellcheck={false}
          placeholder="K7M Q2X"
          aria-describedby={`${errorId} ${hintId}`}
          aria-invalid={error !== null}
          onInput={(event) => pairing.ask(event.currentTarget.value)}
        />
        <button type="submit" class="primary" autofocus={hadCode} aria-disabled={isBusy}>
          {t("page.pair")}
        </button>
      </div>
      <p id={errorId} class="error" role="alert">
        {error}
      </p>
      <p id={hintId} class="hint quiet" role="status">
        {isSlow
          ? t("page.allowInPanel")
          : t("page.whereIsCode", { minutes: PAIRING_CODE_SECONDS / 60 })}
      </p>
      <ReceiveHint relayUrl={relayUrl} />
    </form>
  );
}

/** Names the page that receives without anything installed, where there is one (rule W55). */
function ReceiveHint({ relayUrl }: { readonly relayUrl: string }): VNode | null {
  const href = receivePageOf(relayUrl);
  if (href === null) return null;
  const address = <a href={href}>{href.replace(/^https?:\/\//, "")}</a>;
  return (
    <p class="hint quiet">
      <Text of="page.receiveInstead" params={{ address }} />
    </p>
  );
}

/** Checks whether something has been busy for at least a time. */
function useIsSlow(isBusy: boolean, afterMs: number): boolean {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    setIsSlow(false);
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setIsSlow(true), afterMs);
    return () => clearTimeout(timer);
  }, [isBusy, afterMs]);
  return isSlow;
}
