import { useEffect, useRef, useState } from "preact/hooks";

/** The page sees an edit before its answer, or shortly after. */
const SETTLE_MS = 2000;

interface Draft {
  readonly text: string;
  readonly isWritten: boolean;
}

/** What a field holds in place of what the file has. */
interface FieldDraft {
  /** null where it shows the file. */
  readonly draft: string | null;
  readonly type: (text: string) => void;
  readonly write: (text: string) => Promise<void>;
  readonly drop: () => void;
}

/**
 * Holds what is typed into a field. It outlives whatever the page reads meanwhile; what was written ends with the next
 * read.
 * @param shared what the file has
 * @param onWrite resolves with whether the text was accepted
 */
export function useDraft(
  shared: { readonly text: string; readonly isMixed: boolean },
  onWrite: (text: string) => Promise<boolean>,
): FieldDraft {
  const [draft, setDraft] = useState<Draft | null>(null);
  // What the file has by now, though the page hasn't read it yet.
  const sent = useRef<string | null>(null);
  useEffect(() => {
    sent.current = null;
    setDraft((now) => (now?.isWritten === true ? null : now));
  }, [shared.text, shared.isMixed]);
  const write = async (text: string): Promise<void> => {
    const isMixed = shared.isMixed && sent.current === null;
    if (!isMixed && text === (sent.current ?? shared.text)) return setDraft(null);
    const written = { text, isWritten: true };
    setDraft(written);
    const before = sent.current;
    sent.current = text;
    const isAccepted = await onWrite(text);
    if (!isAccepted) sent.current = before;
    // The file may have it already, written in another way.
    if (isAccepted) {
      setTimeout(() => setDraft((now) => (now === written ? null : now)), SETTLE_MS);
    }
  };
  return {
    draft: draft?.text ?? null,
    type: (text) => setDraft({ text, isWritten: false }),
    write,
    drop: () => setDraft(null),
  };
}
