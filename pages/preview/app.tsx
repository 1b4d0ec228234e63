import type { VNode } from "preact";
import { LiveRegion } from "../kit/live-region.tsx";
import { useView } from "../kit/use-view.ts";
import { NoSecret } from "./no-secret.tsx";
import { type Preview, PreviewContext } from "./preview-context.ts";
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
