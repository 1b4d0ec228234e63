import type { VNode } from "preact";

/** Why something was not done, in a sentence; nothing where it was. */
export function Refused({ error }: { readonly error: string | null }): VNode | null {
  if (error === null) return null;
  return (
    <p class="error" role="alert">
      {error}
    </p>
  );
}
