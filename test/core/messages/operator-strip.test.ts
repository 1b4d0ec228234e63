import { expect, test } from "vitest";
import { LANGUAGES } from "../../../core/messages/languages.ts";
import { operatorText, withOperator } from "../../../core/messages/operator-strip.ts";

const PAGE = "<html><body><script>'</body>'</script></body></html>";
const ALL = {
  name: 'Studio <b>"Süd"</b> & Co',
  contact: "mailto:hello@example.com",
  privacy: "https://example.com/privacy?a=1&b='2'",
  abuse: "https://example.com/abuse",
};

test("[O10] the strip is in each language, with its own words, before the end of the body", () => {
  const page = withOperator(PAGE, ALL);
  const strips = LANGUAGES.map(
    (tag) => new RegExp(`<nav class="operator" lang="${tag}".*</nav>`).exec(page)?.[0] ?? "",
  );
  expect(new Set(strips).size).toBe(LANGUAGES.length);
  for (const strip of strips) {
    expect(strip.match(/<a /g)).toHaveLength(3);
    expect(strip).toContain("Studio &lt;b&gt;&quot;Süd&quot;&lt;/b&gt; &amp; Co");
    expect(strip).not.toMatch(/[{}]name|<b>/);
  }
  expect(page.startsWith("<html><body><script>'</body>'</script><style>")).toBe(true);
  expect(page.endsWith("</nav>\n</body></html>")).toBe(true);
});

test("[O10] only what the operator says is shown", () => {
  expect(withOperator(PAGE, {})).toBe(PAGE);
  expect(operatorText({})).toBe("");
  const page = withOperator(PAGE, { abuse: ALL.abuse });
  expect(page.match(/<a /g)).toHaveLength(LANGUAGES.length);
  expect(page).not.toContain("<span>");
  expect(page).not.toMatch(/undefined|Run by/);
  expect(operatorText({ name: "Studio" })).toBe("\n## Operator\n\n- Studio\n");
});
