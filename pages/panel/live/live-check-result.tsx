import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { formatStays, type LiveReport } from "../../../core/protocol/live-report.ts";
import { t } from "../../kit/text.tsx";

/** The finished check, and its report to save. */
export function LiveCheckResult({ report }: { readonly report: LiveReport | null }): VNode | null {
  const address = useAddress(report);
  if (report === null) return null;
  const { live, edition, checks, stays } = report;
  const answered = checks.filter(({ facts }) => facts !== null).length;
  return (
    <>
      <p role="status">
        {t("panel.check-done", {
          live: `Live ${live} ${edition}`,
          answered,
          count: checks.length,
        })}
        {stays > 0 && ` ${formatStays(t, stays)}`}
      </p>
      {address !== null && (
        <a href={address} download="soundferry-live-report.json">
          {t("panel.check-save")}
        </a>
      )}
    </>
  );
}

/** An address of the report's JSON, for as long as it is shown. */
function useAddress(report: LiveReport | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const text = JSON.stringify(report, null, 1);
    const made = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [report]);
  return address;
}
