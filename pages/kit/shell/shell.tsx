import type { ComponentChildren, VNode } from "preact";
import { t } from "../text.tsx";
import { usePaneFocus } from "./use-pane-focus.ts";

/** A part of the frame: what there is, what is in it, and its details. */
export type Pane = "list" | "main" | "detail";

interface ShellProps {
  readonly header: ComponentChildren;
  /** A line below the header whose height is reserved: a `StatusLine`. */
  readonly status: ComponentChildren;
  /** Left: packages, scenes or what was sent; absent where there is only one thing. */
  readonly list?: PaneContent;
  readonly main: PaneContent;
  /** Below main in a wide window. Its room is reserved while it is given, with content or not. */
  readonly detail?: PaneContent;
  /** A bar at the window's bottom that is always in sight. */
  readonly footer?: ComponentChildren;
  /** The pane in sight where the window is too narrow for all. */
  readonly screen: Pane;
  /** Back, in a narrow window, from the screen to the one before it. */
  readonly onBack: (to: Pane) => void;
}

interface PaneContent {
  /** The pane's name, for screen readers. */
  readonly label: string;
  /** A bar of fixed height above the content, such as a title with buttons. */
  readonly bar?: ComponentChildren;
  readonly content: ComponentChildren;
}

/**
 * The frame of a page: it fills the window, each pane scrolls within it, and nothing changes its size. From
 * 56.25 rem on all panes are side by side; from 42 rem on the list and one other; below, one at a time.
 */
export function Shell(props: ShellProps): VNode {
  const { header, status, list, main, detail, footer, screen, onBack } = props;
  const root = usePaneFocus(screen);
  const has = [list && "has-list", detail && "has-detail"].filter((name) => name !== undefined);
  return (
    <div class={`shell ${has.join(" ")}`} data-screen={screen} ref={root}>
      <header class="shell-header">{header}</header>
      <div class="shell-status">{status}</div>
      {list !== undefined && <PaneView pane="list" {...list} />}
      <main class="shell-work">
        <PaneView
          pane="main"
          {...main}
          {...(list === undefined ? {} : { onBack: () => onBack("list") })}
        />
        {detail !== undefined && (
          <PaneView pane="detail" {...detail} onBack={() => onBack("main")} />
        )}
      </main>
      {footer !== undefined && <footer class="shell-footer">{footer}</footer>}
    </div>
  );
}

interface PaneViewProps extends PaneContent {
  readonly pane: Pane;
  readonly onBack?: () => void;
}

function PaneView({ pane, label, bar, content, onBack }: PaneViewProps): VNode {
  return (
    <section class={`pane pane-${pane}`} data-pane={pane} aria-label={label} tabIndex={-1}>
      {(bar !== undefined || onBack !== undefined) && (
        <div class={`pane-bar ${bar === undefined ? "only-back" : ""}`}>
          {onBack !== undefined && (
            <button type="button" class="plain back" onClick={onBack}>
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <path d="M8 1.5 3.5 6 8 10.5" />
              </svg>
              {t("clips.back")}
            </button>
          )}
          {bar}
        </div>
      )}
      <div class="pane-content">{content}</div>
    </section>
  );
}
