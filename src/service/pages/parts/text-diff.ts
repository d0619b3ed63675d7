import { type Html, html, visible } from "./html.ts";

const SIGNS: Readonly<Record<Line["side"], string>> = { both: " ", before: "-", after: "+" };
/** The lines of two texts, with those marked that only one has. */
export function textDiff(before: string, after: string, names: { before: string; after: string }): Html {
  const words = { both: "", before: `only in ${names.before}: `, after: `only in ${names.after}: ` };
  return html`<pre class="diff" tabindex="0">${lineDiff(before.trim(), after.trim()).map(
    ({
      side,
      line,
    }) => html`<span class="${side}"><span aria-hidden="true">${SIGNS[side]} </span><span class="unseen">${words[side]}</span>${visible(line)}
</span>`,
  )}</pre>`;
}

interface Line {
  readonly side: "both" | "before" | "after";
  readonly line: string;
}

/** Maximum number of lines to align. Longer texts are shown one after the other. */
const MAX_ALIGNED_LINES = 500;

/** Line diff of two texts, by their longest common subsequence. */
function lineDiff(before: string, after: string): Line[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  const isLong = left.length > MAX_ALIGNED_LINES || right.length > MAX_ALIGNED_LINES;
  const common = isLong ? () => 0 : commonLines(left, right);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]];
    if (one !== undefined && one === other && !isLong) {
      lines.push({ side: "both", line: one });
      i += 1;
      j += 1;
    } else if (one !== undefined && (other === undefined || common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ side: "before", line: one });
      i += 1;
    } else if (other !== undefined) {
      lines.push({ side: "after", line: other });
      j += 1;
    }
  }
  return lines;
}

/** Lengths of the longest common subsequence from each pair of lines to the ends of the texts. */
function commonLines(left: readonly string[], right: readonly string[]) {
  const width = right.length + 1;
  const counts = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number) => counts[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      counts[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}
