import { useEffect, useState } from "preact/hooks";
import type { PanelPlan } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";

export interface KnownPlan {
  /** null until it is known. */
  readonly plan: PanelPlan | null;
  /** In a sentence. */
  readonly error: string | null;
}

/** Fetches a package's plan while `isWanted`, and again after each import, which may take the next colour turn. */
export function usePlan(packageId: string, isWanted: boolean): KnownPlan {
  const { store } = usePanel();
  const { link, state } = store.view;
  const turn = state?.finished[0]?.at;
  const [known, setKnown] = useState<KnownPlan>({ plan: null, error: null });
  useEffect(() => {
    if (!isWanted || link !== "live") return undefined;
    const closing = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const plan = await store.calls.plan(packageId, closing.signal);
        if (!closing.signal.aborted) setKnown({ plan, error: null });
      } catch (error) {
        if (closing.signal.aborted) return;
        const sentence = error instanceof Error ? error.message : String(error);
        setKnown(({ plan }) => ({ plan, error: sentence }));
      }
    };
    void ask();
    return () => closing.abort();
  }, [store, packageId, isWanted, link, turn]);
  return known;
}
