import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { onEscape, Refused, useAction } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import type { ReceiveImporter } from "../receive-importer.ts";

interface ForgetBrowserProps {
  readonly importer: ReceiveImporter;
}

/** Ends this browser's time as a computer, after a question. */
export function ForgetBrowser({ importer }: ForgetBrowserProps): VNode {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <section aria-labelledby="forget-title">
      <h3 id="forget-title">{t("receive.forget-title")}</h3>
      {isAsked ? (
        <Question importer={importer} onNo={() => setIsAsked(false)} />
      ) : (
        <>
          <p class="quiet">{t("receive.forget-what")}</p>
          <div class="buttons">
            <button type="button" id="forget" onClick={() => setIsAsked(true)}>
              {t("receive.forget")}
            </button>
          </div>
        </>
      )}
    </section>
  );
}

interface QuestionProps extends ForgetBrowserProps {
  readonly onNo: () => void;
}

/** Says what goes. It takes the focus, and Escape means No. Keep takes the button's place. */
function Question({ importer, onNo }: QuestionProps): VNode {
  const { begin, isBusy, error } = useAction();
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => no.current?.focus(), []);
  const forget = (onlyHere: boolean) => begin(() => importer.forget({ onlyHere }));
  return (
    <div
      class="kept"
      role="group"
      aria-labelledby="forget-question"
      data-then="forget"
      onKeyDown={onEscape(onNo)}
    >
      <div class="buttons">
        <button type="button" ref={no} onClick={onNo}>
          {t("receive.forget-keep")}
        </button>
        <button type="button" class="danger" aria-disabled={isBusy} onClick={() => forget(false)}>
          {t("receive.forget")}
        </button>
      </div>
      <p id="forget-question">{t("receive.forget-question")}</p>
      <Refused error={error} />
      {error !== null && (
        <>
          <p>{t("receive.forget-here-what")}</p>
          <button type="button" class="danger" onClick={() => forget(true)}>
            {t("receive.forget-here")}
          </button>
        </>
      )}
    </div>
  );
}
