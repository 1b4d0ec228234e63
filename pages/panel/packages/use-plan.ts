import { useEffect, useState } from "preact/hooks";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import type { PanelPlan } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-store.ts";
import { planInOwnWords } from "../text/own-words.ts";

export interface KnownPlan {
  /** The plan; null until it is known. */
  readonly plan: PanelPlan | null;
  /** The reason why there is no newer plan, as a sentence. */
  readonly error: string | null;
}

const UNKNOWN: KnownPlan = { plan: null, error: null };

/** Fetches a package's plan, and again after each import. @param packageId the package; null to fetch no plan */
export function usePlan(packageId: string | null): KnownPlan {
  const { store } = usePanel();
  const { link, state } = store.view;
  const ended = state?.finished[0]?.at;
  const [known, setKnown] = useState<KnownPlan & { readonly of: string | null }>({
    ...UNKNOWN,
    of: null,
  });
  useEffect(() => {
    if (packageId === null || link !== "live") return undefined;
    const closing = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const plan = planInOwnWords(await store.calls.plan(packageId, closing.signal));
        if (!closing.signal.aborted) setKnown({ plan, error: null, of: packageId });
      } catch (failure) {
        if (closing.signal.aborted) return;
        const error = sentenceOf(failure);
        setKnown((before) => ({
          plan: before.of === packageId ? before.plan : null,
          error,
          of: packageId,
        }));
      }
    };
    void ask();
    return () => closing.abort();
  }, [store, packageId, link, ended]);
  // The plan of the package before is not shown while another one's is unknown.
  return known.of === packageId ? known : UNKNOWN;
}
