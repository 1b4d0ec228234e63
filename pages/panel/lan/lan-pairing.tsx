import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PanelLan } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { Text } from "../../kit/text.tsx";
import { LanSwitch } from "./lan-switch.tsx";

/** Characters from which an address, one of IPv6, is written smaller. */
const LONG = 32;

interface LanPairingProps {
  readonly lan: PanelLan;
  readonly relayUrl: string;
  /** The one of its addresses that is shown; null if there is none. */
  readonly address: string | null;
  /** True while a code is shown. */
  readonly isScannable: boolean;
  readonly onChoose: (address: string) => void;
}

/** The switch in the pairing step and, while it is on, the address for a phone (rule N31). Its parts keep their room. */
export function LanPairing(props: LanPairingProps): VNode {
  const { lan, relayUrl, address, isScannable, onChoose } = props;
  const { isOn, addresses, nameAddress, hasVisitor } = lan;
  const isShown = address !== null && isScannable;
  const isAwaited = useLateness(isShown) && !hasVisitor;
  return (
    <section class="lan" aria-label={t("panel.lan")}>
      <LanSwitch lan={lan} relayUrl={relayUrl} />
      <div class="lan-way">
        <div class="stacked">
          <p class={isShown ? "" : "room"}>{t("panel.lan-scan")}</p>
          <p class={isOn ? "room" : "quiet"}>{t("panel.lan-off")}</p>
        </div>
        <p class={address !== null && address.length > LONG ? "lan-address long" : "lan-address"}>
          <span>{address}</span>
        </p>
        <p class="lan-name">
          {nameAddress !== null && (
            <Text of="panel.lan-name" params={{ address: <span>{nameAddress}</span> }} />
          )}
        </p>
        <div class="lan-networks">
          {addresses.length > 1 && (
            <label>
              {t("panel.lan-choose")}
              <select
                value={address ?? ""}
                onChange={({ currentTarget }) => onChoose(currentTarget.value)}
              >
                {addresses.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </label>
          )}
        </div>
      </div>
      <div class="lan-nobody stacked">
        <div class="room">
          <Causes />
        </div>
        <div role="status">{isAwaited && <Causes />}</div>
      </div>
    </section>
  );
}

/** Why a phone in the same room may not reach this computer, the most likely first. */
function Causes(): VNode {
  return (
    <>
      <p>{t("panel.lan-nobody")}</p>
      <ul>
        <li>{t("panel.lan-firewall")}</li>
        <li>{t("panel.lan-guest")}</li>
        <li>{t("panel.lan-other")}</li>
      </ul>
    </>
  );
}

/** The time that a person needs to scan a code and open a page. */
const LATE_MS = 30_000;

/** Returns true once something has been shown for 30 seconds. */
function useLateness(isShown: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    setIsLate(false);
    if (!isShown) return undefined;
    const timer = setTimeout(() => setIsLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, [isShown]);
  return isShown && isLate;
}
