import type { ComponentChildren, VNode } from "preact";
import { t } from "../kit/page-language.ts";

interface CalmPageProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A page with a title and a few lines, and a link to the sending page. */
export function CalmPage({ title, children }: CalmPageProps): VNode {
  return (
    <main class="calm receive">
      <p class="quiet">Soundferry</p>
      <h1 id="title" tabIndex={-1}>
        {title}
      </h1>
      {children}
      <p>
        <a href="/">{t("receive.send-instead")}</a>
      </p>
    </main>
  );
}
