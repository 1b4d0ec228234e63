import type { ComponentChildren, VNode } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../text.tsx";

interface DialogProps {
  readonly title: string;
  /** Escape, the close button, or a click beside it. The page then stops rendering the dialog. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  /** Buttons at its bottom, always in sight. */
  readonly actions?: ComponentChildren;
}

/**
 * A dialog over the page while it is rendered: it pushes nothing, keeps the focus inside, and gives it back
 * to what had it before.
 */
export function Dialog({ title, onClose, children, actions }: DialogProps): VNode {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={box}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        // The page closes it: what it shows and what it knows stay one.
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => {
        // An outer listener would close Live's dialog as well.
        if (event.key === "Escape") event.stopPropagation();
      }}
      onMouseDown={(event) => {
        if (event.target === box.current) onClose();
      }}
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon" aria-label={t("clips.close")} onClick={onClose}>
            <svg viewBox="0 0 12 12" aria-hidden="true">
              <path class="stroke" d="m2 2 8 8m0-8-8 8" />
            </svg>
          </button>
        </header>
        <div class="dialog-content">{children}</div>
        {actions !== undefined && <footer class="dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  );
}
