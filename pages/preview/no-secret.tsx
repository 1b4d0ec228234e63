import type { VNode } from "preact";

/** Shown if the page has no valid secret (rule V1). */
export function NoSecret({ reason }: { readonly reason: "missing" | "outdated" }): VNode {
  return (
    <main class="calm">
      <h1>Soundferry preview</h1>
      <p>
        {reason === "missing"
          ? "This address is incomplete: the part after the # is missing."
          : "The preview was restarted. Open the new address."}
      </p>
      <p>
        <code>soundferry preview</code> prints it in the terminal.
      </p>
    </main>
  );
}
