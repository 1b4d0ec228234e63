import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../page-language.ts";

interface DialogProps {
  readonly title: string;
  /**
   * Called for Escape, the close button, or a click beside the dialog; the page then stops rendering it. Without it,
   * the dialog is a question that appears unasked: only its buttons close it, and none of them has the focus, so that
   * no key or click meant for the page answers it.
   */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
  /** Buttons at its bottom, always in sight. */
  readonly actions?: ComponentChildren;
}

/**
 * A modal dialog over the page while it is rendered. It moves nothing, keeps the focus inside, and returns the focus
 * when it closes.
 */
export function Dialog({ title, onClose, children, actions }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const [id, contentId] = [useId(), useId()];
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog?.showModal();
    if (onClose === undefined) dialog?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class="dialog"
      role={onClose === undefined ? "alertdialog" : undefined}
      tabIndex={-1}
      aria-labelledby={id}
      aria-describedby={onClose === undefined ? contentId : undefined}
      onCancel={(event) => {
        // Only the page closes the dialog, so that its state and the screen agree.
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // An outer listener would close Live's dialog as well.
        event.stopPropagation();
        // Browsers let a page prevent only the first cancel.
        if (onClose === undefined) event.preventDefault();
      }}
      onMouseDown={(event) => {
        if (event.target === box.current) onClose?.();
      }}
    >
      <div class="dialog-inside">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          {onClose !== undefined && (
            <button type="button" class="icon" aria-label={t("clips.close")} onClick={onClose}>
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <path class="stroke" d="m2 2 8 8m0-8-8 8" />
              </svg>
            </button>
          )}
        </div>
        <div class="dialog-content" id={contentId}>
          {children}
        </div>
        {actions !== undefined && <div class="dialog-actions">{actions}</div>}
      </div>
    </dialog>
  );
}
