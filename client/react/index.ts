"use client";

import "@soundferry/client/element";
import type {
  ElementEvents,
  ElementSound,
  ElementTexts,
  SoundferrySend as Element,
} from "@soundferry/client/element";
import {
  createElement,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
} from "react";

export type { ElementEvents, ElementSound, ElementTexts, Element as SoundferrySendElement };

/** Props of `<SoundferrySend>`, besides those of any element, such as `className` and `style`. */
export interface SoundferrySendProps extends Omit<HTMLAttributes<Element>, "children" | "onError"> {
  /** The relay's address. */
  readonly relay: string;
  /** The app's name, at most 40 characters. Default: the page's title. */
  readonly app?: string | undefined;
  /** Identifies this installation. Default: a generated one that `localStorage` keeps. */
  readonly appId?: string | undefined;
  /** Default: guessed from the sounds' names. */
  readonly sceneTitle?: string | undefined;
  /** The tempo of loops without one of their own. */
  readonly bpm?: number | undefined;
  /** The ways in which a person may add sounds. Default: both. */
  readonly sources?: readonly ("files" | "record")[] | undefined;
  /** `session` leaves nothing on computers of others once the tab is closed. */
  readonly keep?: "session" | undefined;
  /** The sounds to send. A new array replaces all listed sounds, so keep it between renders (`useMemo`). */
  readonly sounds?: readonly ElementSound[] | undefined;
  /** The app's own texts; keep the object between renders. */
  readonly texts?: ElementTexts | undefined;
  readonly onPaired?: ((detail: ElementEvents["paired"]) => void) | undefined;
  readonly onSent?: ((detail: ElementEvents["sent"]) => void) | undefined;
  readonly onResult?: ((detail: ElementEvents["result"]) => void) | undefined;
  readonly onError?: ((detail: ElementEvents["error"]) => void) | undefined;
}

/** `<soundferry-send>` for React 18 and later. A `ref` gets the element, which has `add` and `send`. */
export const SoundferrySend: ForwardRefExoticComponent<
  SoundferrySendProps & RefAttributes<Element | null>
> = forwardRef<Element | null, SoundferrySendProps>(function SoundferrySend(props, outer) {
  const { relay, app, appId, sceneTitle, bpm, sources, keep, sounds, texts, ...others } = props;
  const { onPaired, onSent, onResult, onError, className, ...rest } = others;
  const inner = useRef<Element>(null);
  useImperativeHandle<Element | null, Element | null>(outer, () => inner.current, []);
  useEffect(() => {
    if (inner.current !== null && texts !== undefined) inner.current.texts = texts;
  }, [texts]);
  useEffect(() => {
    if (inner.current !== null && sounds !== undefined) inner.current.sounds = sounds;
  }, [sounds]);
  useListener(inner, "paired", onPaired);
  useListener(inner, "sent", onSent);
  useListener(inner, "result", onResult);
  useListener(inner, "error", onError);
  return createElement("soundferry-send", {
    ...rest,
    ref: inner,
    relay,
    app,
    bpm,
    keep,
    class: className,
    "app-id": appId,
    "scene-title": sceneTitle,
    sources: sources?.join(" "),
  });
});

/** Subscribes to an event and always calls the listener of the last render. */
function useListener<Name extends keyof ElementEvents>(
  element: { readonly current: Element | null },
  name: Name,
  listener: ((detail: ElementEvents[Name]) => void) | undefined,
): void {
  const newest = useRef(listener);
  useEffect(() => {
    newest.current = listener;
  });
  useEffect(() => {
    const { current } = element;
    const listen = (event: Event): void => {
      if (event instanceof CustomEvent) newest.current?.(event.detail);
    };
    current?.addEventListener(name, listen);
    return () => current?.removeEventListener(name, listen);
  }, [element, name]);
}
