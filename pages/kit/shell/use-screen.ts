import { useEffect, useState } from "preact/hooks";
import type { Pane } from "./shell.tsx";
import { focusPane } from "./use-pane-focus.ts";

interface Screen {
  /** The pane in sight where the window is too narrow for all. */
  readonly screen: Pane;
  readonly show: (pane: Pane) => void;
  /** Shows a pane and moves the focus into it once it is rendered. */
  readonly open: (pane: Pane) => void;
}

/** Which of the frame's panes a page shows. */
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
