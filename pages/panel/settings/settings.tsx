import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type {
  PanelConnection,
  PanelState,
  PanelHostSetting,
} from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { LanSwitch } from "../lan/lan-switch.tsx";
import { LiveSetup } from "../live/live-setup.tsx";
import { AppList } from "../pairing/app-list.tsx";
import { isLiveReady } from "../text/format-live.ts";
import { NotificationSwitch } from "./notification-switch.tsx";
import { RelayForm } from "./relay-form.tsx";
import { SoundsFolder } from "./sounds-folder.tsx";
import { useTextEdit } from "./use-text-edit.ts";
import { MAX_TITLE_LENGTH } from "../../../core/limits.ts";
import { usePanel } from "../panel-store.ts";
import { useAction, Refused, onEscape } from "../../kit/action.tsx";

/** This computer's name, its apps, its relay, the host's settings, and the sounds folder. */
export function Settings({ state }: { readonly state: PanelState }): VNode {
  const { connection, host, version, deviceName, apps, lan, live } = state;
  return (
    <div class="settings">
      <section aria-labelledby="computer">
        <h3 id="computer">{t("panel.computer")}</h3>
        <DeviceName name={deviceName} />
      </section>
      <AppList apps={apps} />
      <Relay connection={connection} />
      {lan !== null && (
        <section aria-labelledby="lan">
          <h3 id="lan">{t("panel.lan")}</h3>
          <LanSwitch lan={lan} relayUrl={connection.relayUrl} />
        </section>
      )}
      {host.settings.length > 0 && (
        <section aria-label={host.label}>
          <h3>{host.label}</h3>
          {host.settings.map((setting) => (
            <HostSetting key={setting.id} setting={setting} />
          ))}
        </section>
      )}
      {live !== null && isLiveReady(live) && <LiveSetup live={live} />}
      <NotificationSwitch />
      <SoundsFolder state={state} />
      <p class="quiet version">{t("panel.version", { version })}</p>
    </div>
  );
}

function Relay({ connection }: { readonly connection: PanelConnection }): VNode {
  const { relayUrl, fixedBecause, suggestedRelayUrl } = connection;
  return (
    <section aria-labelledby="relay">
      <h3 id="relay">{t("panel.relay")}</h3>
      {fixedBecause === null ? (
        <RelayForm
          key={relayUrl}
          address={relayUrl ?? suggestedRelayUrl}
          button={relayUrl === null ? t("panel.relay-connect") : t("panel.relay-change")}
        />
      ) : (
        <>
          <p>{relayUrl}</p>
          <p class="quiet">{fixedBecause}</p>
        </>
      )}
    </section>
  );
}

/** This computer's name as apps see it, and a form to change it. */
function DeviceName({ name }: { readonly name: string }): VNode {
  const [isEdited, setIsEdited] = useState(false);
  if (isEdited) return <NameForm name={name} onDone={() => setIsEdited(false)} />;
  return (
    <p class="device">
      <bdi>{name}</bdi>
      <button
        type="button"
        class="plain"
        id="rename"
        aria-label={t("panel.rename-title", { name })}
        onClick={() => setIsEdited(true)}
      >
        {t("panel.rename")}
      </button>
    </p>
  );
}

interface NameFormProps {
  readonly name: string;
  readonly onDone: () => void;
}

function NameForm({ name, onDone }: NameFormProps): VNode {
  const { store } = usePanel();
  const send = (typed: string) => store.calls.send("rename", { device_name: typed });
  const { field, onSubmit, isBusy, error } = useTextEdit({
    name: "name",
    text: name,
    send,
    onDone,
  });
  return (
    <form class="device" data-then="rename" onSubmit={onSubmit} onKeyDown={onEscape(onDone)}>
      <input
        ref={field}
        id="device-name"
        name="name"
        aria-label={t("panel.computer-name")}
        aria-describedby="device-name-error"
        aria-invalid={error !== null}
        maxLength={MAX_TITLE_LENGTH}
        autocomplete="off"
        spellcheck={false}
        defaultValue={name}
      />
      <button type="submit" aria-disabled={isBusy}>
        {t("panel.save")}
      </button>
      <span id="device-name-error" class="error" role="alert">
        {error}
      </span>
    </form>
  );
}

/** A switch for a host setting. */
function HostSetting({ setting }: { readonly setting: PanelHostSetting }): VNode {
  const { id, label, help, value } = setting;
  const { store } = usePanel();
  const { begin, error } = useAction();
  return (
    <div>
      <label class="choice">
        <input
          type="checkbox"
          checked={value}
          aria-describedby={`help-${id}`}
          onChange={({ currentTarget }) =>
            begin(() =>
              store.calls.send("setHostSetting", { setting_id: id, value: currentTarget.checked }),
            )
          }
        />
        <span>{label}</span>
      </label>
      <p id={`help-${id}`} class="quiet hint">
        {help}
      </p>
      <Refused error={error} />
    </div>
  );
}
