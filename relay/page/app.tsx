import type { VNode } from "preact";
import { LiveRegion } from "../../web/live-region.tsx";
import { useView } from "../../web/use-view.ts";
import { type Page, PageContext } from "./page-context.ts";
import type { PageStore } from "./page-store.ts";
import { Computers } from "./pairing/computers.tsx";
import { SendForm } from "./sending/send-form.tsx";
import { SentList } from "./sending/sent-list.tsx";

interface AppProps {
  readonly page: Page;
  readonly store: PageStore;
}

/** The whole page. */
export function App({ page, store }: AppProps): VNode {
  const view = useView(store);
  return (
    <PageContext.Provider value={page}>
      <header class="top">
        <h1>Soundferry</h1>
        <p class="quiet">Send sounds into Ableton Live</p>
      </header>
      <main class="sheet">
        {view.computers === null ? null : (
          <>
            <Computers view={view} />
            <SendForm view={view} />
            <SentList sent={view.sent} />
          </>
        )}
      </main>
      <LiveRegion text={view.announcement} />
    </PageContext.Provider>
  );
}
