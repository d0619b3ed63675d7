import { expect, test } from "vitest";
import { html } from "../../../src/service/kernel/html.ts";

test("texts are escaped in content and in attributes, and HTML is not", () => {
  const name = `<b> & "c" 'd'`;
  const escaped = "&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;";
  const inner = html`<i title="${name}">${name}</i>`;
  expect(inner.markup).toBe(`<i title="${escaped}">${escaped}</i>`);
  expect(html`<p>${inner}</p>`.markup).toBe(`<p>${inner}</p>`);
  // An object from JSON that looks like HTML is no HTML.
  const forged = JSON.parse(JSON.stringify({ markup: name, isEscaped: true }));
  expect(html`${forged}`.markup).not.toContain("<b>");
});

test("items are joined, numbers are shown, and what is absent is omitted", () => {
  expect(html`${[html`<i>1</i>`, ["<", 0]]}${null}${undefined}${false}${true}${""}.`.markup).toBe(
    "<i>1</i>&lt;0.",
  );
});
