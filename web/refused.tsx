import type { VNode } from "preact";

/** Why something that was clicked was not done; nothing where it was. */
export function Refused({ error }: { readonly error: string | null }): VNode | null {
  if (error === null) return null;
  return (
    <p class="error" role="alert">
      {error}
    </p>
  );
}
