import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../page-language.ts";
import type { ClipState } from "../clip-list/clip-row.ts";

/** A part of the frame: the list, the content of the picked item, and details. */
export type Pane = "list" | "main" | "detail";

interface ShellProps {
  readonly header: ComponentChildren;
  /** A line below the header whose height is reserved: a `StatusLine`. */
  readonly status: ComponentChildren;
  /** The left pane, with packages or scenes; absent where there is only one. */
  readonly list?: PaneContent;
  readonly main: PaneContent;
  /** The pane below main in a wide window. Its room is reserved even without content. */
  readonly detail?: PaneContent;
  /** A bar at the window's bottom that is always in sight. */
  readonly footer?: ComponentChildren;
  /** The pane in sight where the window is too narrow for all. */
  readonly screen: Pane;
  /** Called for Back, in a narrow window, with the pane before the one in sight. */
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
 * The frame of a page. It fills the window, each pane scrolls within it, and nothing changes its size. From 56.25 rem
 * on it shows all panes side by side, from 42 rem on the list and one other, below that one at a time.
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

interface StatusLineProps {
  readonly tone: ClipState["tone"];
  /** One sentence; empty to keep only the line's room. */
  readonly text: string;
  /** Buttons at the line's end, such as an Undo. */
  readonly children?: ComponentChildren;
}

/** One line of reserved height that says what just happened or what is wrong. Screen readers read it. */
export function StatusLine({ tone, text, children }: StatusLineProps): VNode {
  return (
    <div class="status-line">
      <p class={`tone ${tone}`} role="status" title={text}>
        {text}
      </p>
      <span class="status-actions">{children}</span>
    </div>
  );
}

interface Screen {
  /** The pane in sight where the window is too narrow for all. */
  readonly screen: Pane;
  readonly show: (pane: Pane) => void;
  /** Shows a pane and moves the focus into it once it is rendered. */
  readonly open: (pane: Pane) => void;
}

/** Keeps the pane that a narrow window shows. */
export function useScreen(first: Pane): Screen {
  const [screen, show] = useState<Pane>(first);
  const [opened, setOpened] = useState<{ readonly pane: Pane } | null>(null);
  useEffect(() => {
    if (opened !== null) focusPane(opened.pane);
  }, [opened]);
  const open = (pane: Pane): void => {
    show(pane);
    setOpened({ pane });
  };
  return { screen, show, open };
}

/**
 * Moves the focus when a narrow window hides the pane that had it: to the element that last had the focus in the new
 * pane, or to the pane. Returns the frame's ref.
 */
function usePaneFocus(screen: Pane): { readonly current: HTMLDivElement | null } {
  const root = useRef<HTMLDivElement>(null);
  const last = useRef(new Map<string, HTMLElement>());
  const focused = useRef<HTMLElement | null>(null);
  useEffect(() => {
    const frame = root.current;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      focused.current = target;
      const pane = target.closest<HTMLElement>("[data-pane]");
      if (pane !== null && pane !== target) last.current.set(pane.dataset["pane"] ?? "", target);
    };
    frame?.addEventListener("focusin", remember);
    return () => frame?.removeEventListener("focusin", remember);
  }, []);
  useLayoutEffect(() => {
    const had = focused.current;
    // Browsers differ in whether a hidden element keeps the focus.
    const isLost = had !== null && had.isConnected && had.offsetParent === null;
    if (isLost) focusPane(screen, last.current.get(screen), root.current);
  }, [screen]);
  return root;
}

/**
 * Moves the focus into a pane: to one of its controls, otherwise to the pane itself.
 * @param wanted a control that had it before
 */
function focusPane(pane: Pane, wanted?: HTMLElement, frame: ParentNode | null = document): void {
  const box = frame?.querySelector<HTMLElement>(`[data-pane="${pane}"]`);
  if (box === null || box === undefined) return;
  const isThere = wanted !== undefined && box.contains(wanted) && wanted.offsetParent !== null;
  const stop = box.querySelector<HTMLElement>(
    '.pane-content :is([tabindex="0"], button, input, select):not([tabindex="-1"])',
  );
  const target = isThere ? wanted : (stop ?? box);
  target.focus({ preventScroll: !isThere });
}
