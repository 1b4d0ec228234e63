import type { VNode } from "preact";
import { Shell } from "../kit/shell/shell.tsx";
import { useScreen } from "../kit/shell/use-screen.ts";
import { LiveRegion } from "../kit/live-region.tsx";
import { t } from "../kit/text.tsx";
import { useView } from "../kit/use-view.ts";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { type Page, PageContext } from "./page-context.ts";
import type { PageStore } from "./page-store.ts";
import { PageStatus } from "./page-status.tsx";
import { Computers } from "./pairing/computers.tsx";
import { FileChoosers } from "./sounds/add-sounds.tsx";
import { draftPanes } from "./sounds/draft-panes.tsx";
import { RefusedFiles } from "./sounds/refused-files.tsx";
import { useDrops } from "./sounds/use-drops.ts";
import { Packages } from "./sending/packages.tsx";
import { sentPanes } from "./sending/sent-panes.tsx";

interface AppProps {
  readonly page: Page;
  readonly store: PageStore;
}

/** The whole page: what was sent, the new package or a sent one, its sound's details, and Send. */
export function App({ page, store }: AppProps): VNode {
  const view = useView(store);
  const { screen, show, open } = useScreen("main");
  const isOver = useDrops(({ files, unreadable }) => {
    show("main");
    void page.sounds.add(files, unreadable);
  });
  const shown = view.sent.find(({ packageId }) => packageId === view.shown);
  const openDetail = (): void => open("detail");
  const panes =
    shown === undefined
      ? draftPanes(page, view, openDetail)
      : sentPanes(page, view, shown, openDetail);
  return (
    <PageContext.Provider value={page}>
      <div class={isOver ? "page over" : "page"}>
        <Shell
          header={<Header view={view} />}
          status={<PageStatus view={view} />}
          list={{
            label: t("page.packages"),
            content: <Packages view={view} onOpen={() => show("main")} />,
          }}
          {...panes}
          footer={<Footer view={view} />}
          screen={screen}
          onBack={show}
        />
      </div>
      <FileChoosers />
      {view.isPairing && view.computers !== null && <Computers view={view} />}
      {view.isListingRefused && <RefusedFiles files={view.refused} />}
      <LiveRegion text={view.announcement} />
    </PageContext.Provider>
  );
}
