interface Receiver {
  postMessage(message: unknown): void;
}

/** The window of Live's dialog, which has `webkit` on macOS and `chrome` on Windows. */
interface DialogWindow {
  readonly webkit?: { readonly messageHandlers?: { readonly live?: Receiver } };
  readonly chrome?: { readonly webview?: Receiver };
}

/** Returns whether Live shows the page in its dialog. */
export function isInDialog(): boolean {
  return receiver() !== undefined;
}

/** Closes Live's dialog with an answer; an empty one means no request. */
export function closeDialog(text: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window, but the host around the page
  receiver()?.postMessage({ method: "close_and_send", params: [text] });
}

function receiver(): Receiver | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no library knows what Live adds
  const { webkit, chrome } = window as unknown as DialogWindow;
  return webkit?.messageHandlers?.live ?? chrome?.webview;
}
