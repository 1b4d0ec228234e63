import type { VNode } from "preact";

/** What stands there when the page may call nothing (rule N1). */
export function NoSecret({ reason }: { readonly reason: "missing" | "outdated" }): VNode {
  return (
    <main class="calm">
      <h1>Soundferry</h1>
      <p>
        {reason === "missing"
          ? "This address is not complete: the part behind the # is missing."
          : "The importer was started anew, and this page is of an earlier start."}
      </p>
      <p>
        Open the panel’s address as <code>soundferry importer</code> or <code>soundferry up</code>{" "}
        prints it. In Live, right-click a scene and choose Extensions → Soundferry → Import.
      </p>
    </main>
  );
}
