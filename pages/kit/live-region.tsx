import type { VNode } from "preact";

interface LiveRegionProps {
  readonly text: string;
  /** A new number for each message, so that repeated text is announced again. */
  readonly number?: number;
}

/** Announces changes to screen readers politely: after what is being read. */
export function LiveRegion({ text, number = 0 }: LiveRegionProps): VNode {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {/* Screen readers announce only new nodes. */}
      <span key={number}>{text}</span>
    </p>
  );
}
