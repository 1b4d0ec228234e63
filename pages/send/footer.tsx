import type { VNode } from "preact";
import type { PageView } from "./page-view.ts";
import { QuestionBar } from "./questions/question-bar.tsx";
import { SendBar } from "./sending/send-bar.tsx";

/** What is asked before sending, what Send does, and Send. */
export function Footer({ view }: { readonly view: PageView }): VNode {
  return (
    <div class="page-footer">
      <QuestionBar view={view} />
      <SendBar view={view} />
    </div>
  );
}
