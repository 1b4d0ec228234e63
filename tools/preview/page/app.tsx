import type { VNode } from "preact";
import { LiveRegion } from "../../../web/live-region.tsx";
import { useView } from "../../../web/use-view.ts";
import { NoSecret } from "./no-secret.tsx";
import { type Preview, PreviewContext } from "./preview-context.ts";
import { Session } from "./session/session.tsx";
import { TopBar } from "./top-bar.tsx";

/** The whole page. */
export function App({ preview }: { readonly preview: Preview }): VNode {
  const { link, state, announcement, announcements } = useView(preview.store);
  if (link === "refused") return <NoSecret reason="outdated" />;
  return (
    <PreviewContext.Provider value={preview}>
      <TopBar link={link} state={state} />
      {state === null ? (
        <main class="calm">
          <p class="quiet">Connecting to the preview…</p>
        </main>
      ) : (
        <Session state={state} />
      )}
      <LiveRegion text={announcement} number={announcements} />
    </PreviewContext.Provider>
  );
}
