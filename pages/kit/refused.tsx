import type { VNode } from "preact";

/** Why a click's action failed; renders nothing if it didn't. */
export function Refused({ error }: { readonly error: string | null }): VNode | null {
  if (error === null) return null;
  return (
    <p class="error" role="alert">
      {error}
    </p>
  );
}
