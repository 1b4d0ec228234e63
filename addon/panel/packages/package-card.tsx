import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PanelHost, PanelUsablePackage } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { Failure } from "./group-packages.ts";
import { ImportButton } from "./import-button.tsx";
import { SoundList } from "./sound-list.tsx";
import { TempoChoice, tempoToOffer } from "./tempo-choice.tsx";
import { useIsOver } from "../use-now.ts";
import { TimeLeft } from "./time-left.tsx";
import { usePlan } from "./use-plan.ts";

interface PackageCardProps {
  readonly offered: PanelUsablePackage;
  readonly failure: Failure | null;
  readonly readAtMs: number;
  readonly host: PanelHost;
  /** Expands the sounds. */
  readonly isFirst: boolean;
}

/** A waiting package: its origin, its plan, and Import. */
export function PackageCard(props: PackageCardProps): VNode {
  const { offered, failure, readAtMs, host, isFirst } = props;
  const { packageId, title } = offered;
  const [isOpen, setIsOpen] = useState(isFirst);
  const [setsTempo, setSetsTempo] = useState(false);
  const isOver = useIsOver(offered.expiresInSeconds, readAtMs);
  const isExpired = isOver || offered.status === "expired";
  const { plan, error } = usePlan(packageId, isOpen && !isExpired);
  const isShown = useShownResult(packageId);
  const tempoBpm = isExpired ? null : tempoToOffer(plan, host);
  const titleId = `package-${packageId}`;
  return (
    <article
      class={isShown ? "card shown" : "card"}
      aria-labelledby={titleId}
      data-then={`run-${packageId} result-${packageId} packages`}
    >
      <div class="head">
        <div class="title">
          <h3 id={titleId} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h3>
          <Origin
            offered={offered}
            readAtMs={readAtMs}
            isExpired={isExpired}
            isHeld={offered.isTaken && failure === null}
          />
        </div>
        {!isExpired && (
          <ImportButton
            request={{
              packageId,
              ...(setsTempo && tempoBpm !== null && { sessionTempoBpm: tempoBpm }),
            }}
            title={title}
            code={failure?.code ?? null}
          />
        )}
      </div>
      {failure !== null && (
        <p class={failure.code === "CANCELLED" ? "quiet" : "error"}>{failure.error}</p>
      )}
      {tempoBpm !== null && (
        <TempoChoice tempoBpm={tempoBpm} host={host} isOn={setsTempo} onChange={setSetsTempo} />
      )}
      {error !== null && <p class="error">{error}</p>}
      <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary>{countOf(offered.sounds.length, "sound")}</summary>
        {isOpen && <SoundList offered={offered} plan={plan} />}
      </details>
    </article>
  );
}

interface OriginProps extends Pick<PackageCardProps, "offered" | "readAtMs"> {
  readonly isExpired: boolean;
  /** An import without a known result holds its lease. */
  readonly isHeld: boolean;
}

/** The sender and the time left. */
function Origin({ offered, readAtMs, isExpired, isHeld }: OriginProps): VNode {
  const { origin, appName, expiresInSeconds } = offered;
  return (
    <p class="facts">
      <span>{origin === "inbox" ? "Inbox folder" : <bdi>{appName}</bdi>}</span>
      {isExpired && <span class="error">Expired before import</span>}
      {!isExpired && expiresInSeconds !== null && (
        <TimeLeft spanSeconds={expiresInSeconds} readAtMs={readAtMs} />
      )}
      {isHeld && <span>Another import is running or was interrupted</span>}
    </p>
  );
}

/** Returns whether the page was opened for this package, and focuses its title. */
function useShownResult(packageId: string): boolean {
  const { store } = usePanel();
  const isShown = store.shownResult === packageId;
  useEffect(() => {
    if (isShown) document.getElementById(`package-${packageId}`)?.focus();
  }, [isShown, packageId]);
  return isShown;
}
