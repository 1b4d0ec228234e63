import type { VNode } from "preact";
import { Refused, useAction } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import { Text } from "../../kit/text.tsx";
import type { ReceivePlace, ReceiveState } from "../importer/receive-state.ts";
import { PlaceButtons } from "../place/place-buttons.tsx";
import type { ReceiveImporter } from "../receive-importer.ts";
import { ForgetBrowser } from "./forget-browser.tsx";

interface ReceiveSettingsProps {
  readonly importer: ReceiveImporter;
  readonly view: ReceiveState;
}

/** The place of imports, the experimental Live Set, and a way to forget this browser (rule RC25). */
export function ReceiveSettings({ importer, view }: ReceiveSettingsProps): VNode {
  return (
    <>
      <section aria-labelledby="place">
        <h3 id="place" tabIndex={-1}>
          {t("receive.place")}
        </h3>
        <p role="status">
          <PlaceWords place={view.place} />
        </p>
        {view.place?.kind === "folder" && <p class="quiet">{t("receive.asks-again")}</p>}
        <PlaceButtons importer={importer} view={view} />
        <LiveSetSwitch importer={importer} isOn={view.writesLiveSet} />
      </section>
      <ForgetBrowser importer={importer} />
    </>
  );
}

function PlaceWords({ place }: { readonly place: ReceivePlace | null }): VNode {
  if (place === null) return <>{t("receive.undecided")}</>;
  if (place.kind === "zip") return <>{t("receive.into-zip")}</>;
  return <Text of="receive.into-folder" params={{ folder: <bdi>{place.name}</bdi> }} />;
}

interface LiveSetSwitchProps {
  readonly importer: ReceiveImporter;
  readonly isOn: boolean;
}

function LiveSetSwitch({ importer, isOn }: LiveSetSwitchProps): VNode {
  const { begin, error } = useAction();
  return (
    <div>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn}
          aria-describedby="live-set-hint"
          onChange={({ currentTarget }) =>
            begin(() => importer.writeLiveSets(currentTarget.checked))
          }
        />
        <span>{t("receive.live-set")}</span>
      </label>
      <p id="live-set-hint" class="quiet hint">
        {t("receive.live-set-hint")}
      </p>
      <Refused error={error} />
    </div>
  );
}
