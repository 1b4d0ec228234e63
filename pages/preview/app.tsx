import type { VNode } from "preact";
import { LiveRegion } from "../kit/text.tsx";
import { useView } from "../kit/use-view.ts";
import { type Preview, PreviewContext } from "./preview-store.ts";
import { WorkspaceView } from "./workspace/workspace-view.tsx";

/** The whole page. */
export function App({ preview }: { readonly preview: Preview }): VNode {
  const { link, state, announcement, announcements } = useView(preview.store);
  if (link === "refused") return <NoSecret reason="outdated" />;
  return (
    <PreviewContext.Provider value={preview}>
      {state === null ? (
        <main class="calm">
          <h1>Soundferry preview</h1>
          <p class="quiet">Connecting to the preview…</p>
        </main>
      ) : (
        <WorkspaceView state={state} link={link} />
      )}
      <LiveRegion text={announcement} number={announcements} />
    </PreviewContext.Provider>
  );
}

/** Replaces the page when it has no valid secret (rule V1). */
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
