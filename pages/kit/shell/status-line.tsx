import type { ComponentChildren, VNode } from "preact";
import type { ClipState } from "../clip-list/clip-row.ts";

interface StatusLineProps {
  readonly tone: ClipState["tone"];
  /** One sentence; empty keeps the line's room. */
  readonly text: string;
  /** At the line's end, such as an Undo. */
  readonly children?: ComponentChildren;
}

/** One line of reserved height that says what just happened or what is wrong, read by screen readers. */
export function StatusLine({ tone, text, children }: StatusLineProps): VNode {
  return (
    <div class="status-line">
      <p class={`tone ${tone}`} role="status" title={text}>
        {text}
      </p>
      <span class="status-actions">{children}</span>
    </div>
  );
}
