import type { VNode } from "preact";
import { receivePageOf } from "../../core/protocol/receive-page.ts";
import { Shell, useScreen, StatusLine } from "../kit/shell/shell.tsx";
import { t } from "../kit/page-language.ts";
import { LiveRegion, Text } from "../kit/text.tsx";
import { useView } from "../kit/use-view.ts";
import { type Page, PageContext, usePage } from "./page-context.ts";
import type { PageStore, PageView } from "./page-view.ts";
import { Computers } from "./pairing/computers.tsx";
import { FileChoosers } from "./sounds/add-sounds.tsx";
import { draftPanes } from "./sounds/draft-panes.tsx";
import { RefusedFiles } from "./sounds/refused-files.tsx";
import { useDrops } from "./sounds/use-drops.ts";
import { Packages } from "./sending/packages.tsx";
import { sentPanes } from "./sending/sent-panes.tsx";
import type { ClipState } from "../kit/clip-list/clip-row.ts";
import { QuestionBar } from "./sounds/question-bar.tsx";
import { SendBar } from "./sending/send-bar.tsx";

interface AppProps {
  readonly page: Page;
  readonly store: PageStore;
}

/** The whole page: the list of packages, the new package or a sent one, its sound's details, and Send. */
export function App({ page, store }: AppProps): VNode {
  const view = useView(store);
  const { screen, show, open } = useScreen("main");
  const isOver = useDrops(({ files, unreadable }) => {
    show("main");
    void page.actions.add(files, unreadable);
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
          footer={
            <div class="page-footer">
              <QuestionBar view={view} />
              <SendBar view={view} />
            </div>
          }
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

/** The page's name, and the computer that sounds go to. */
function Header({ view }: { readonly view: PageView }): VNode {
  const { session, relayUrl } = usePage();
  const computer = view.computers?.[0];
  const receivePage = receivePageOf(relayUrl);
  return (
    <div class="page-header">
      <h1>Soundferry</h1>
      {receivePage !== null && <Directions receivePage={receivePage} />}
      <p class="quiet tagline">{t("page.tagline")}</p>
      {view.computers !== null && (
        <button type="button" id="computers" onClick={() => session.pairing.ask(view.code)}>
          {computer === undefined ? (
            t("page.pairWithComputer")
          ) : (
            <Text of="page.sendsTo" params={{ computer: <bdi>{computer.name}</bdi> }} />
          )}
        </button>
      )}
    </div>
  );
}

/** The two pages of the relay: this one, which sends, and the one that receives (rule G27). */
function Directions({ receivePage }: { readonly receivePage: string }): VNode {
  return (
    <nav class="directions" aria-label={t("page.directions")}>
      <span aria-current="page">{t("page.send")}</span>
      <a href={receivePage}>{t("page.receive")}</a>
    </nav>
  );
}

/** The most urgent problem or activity, and a button that lists the files that can't be sent. */
function PageStatus({ view }: { readonly view: PageView }): VNode {
  const { actions } = usePage();
  const { tone, text } = statusOf(view);
  const { length } = view.refused;
  return (
    <StatusLine tone={tone} text={text}>
      {length > 0 && (
        <button type="button" id="refused" onClick={() => actions.listRefused(true)}>
          <span class="long">{t("page.notAdded", { count: length })}</span>
          <span class="short" aria-hidden="true">
            <svg viewBox="0 0 12 12">
              <path class="stroke" d="M6 1.5 11 10.5H1ZM6 5v2.5M6 8.5v1" />
            </svg>
            {length}
          </span>
        </button>
      )}
    </StatusLine>
  );
}

interface Status {
  readonly tone: ClipState["tone"];
  readonly text: string;
}

/** Returns the most urgent status. */
function statusOf(view: PageView): Status {
  const { error, sending, notice, keepTrouble, reading } = view;
  if (error !== null) return { tone: "bad", text: error };
  if (sending?.trouble) {
    const { sentence: trouble, seconds } = sending.trouble;
    return { tone: "bad", text: t("page.retrying", { trouble, seconds }) };
  }
  if (notice !== null) return { tone: "bad", text: notice };
  if (view.recording?.seconds === null) {
    return { tone: "busy", text: t("page.allowMicrophone") };
  }
  if (reading > 0) return { tone: "busy", text: t("page.reading", { count: reading }) };
  if (keepTrouble !== null) return { tone: "mixed", text: keepTrouble };
  return { tone: "quiet", text: "" };
}
