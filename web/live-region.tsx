import type { VNode } from "preact";

/** Says what has changed to whoever can't see it, calmly: after what is being read. */
export function LiveRegion({ text }: { readonly text: string }): VNode {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {text}
    </p>
  );
}
