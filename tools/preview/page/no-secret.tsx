import type { VNode } from "preact";

/** What stands there when the page may call nothing (rule V1). */
export function NoSecret({ reason }: { readonly reason: "missing" | "outdated" }): VNode {
  return (
    <main class="calm">
      <h1>Soundferry preview</h1>
      <p>
        {reason === "missing"
          ? "This address is not complete: the part behind the # is missing."
          : "The preview was started anew, and this page is of an earlier start."}
      </p>
      <p>
        Open the address as <code>soundferry preview</code> prints it.
      </p>
    </main>
  );
}
