import type { VNode } from "preact";

interface LiveRegionProps {
  readonly text: string;
  /** Another one for each piece of news, where the same words may come twice. */
  readonly number?: number;
}

/** Says what has changed to whoever can't see it, calmly: after what is being read. */
export function LiveRegion({ text, number = 0 }: LiveRegionProps): VNode {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {/* Only what is put in anew is read out. */}
      <span key={number}>{text}</span>
    </p>
  );
}
