/** A line of two texts: of both, or of one of them alone. */
export interface Line {
  readonly side: "both" | "before" | "after";
  readonly line: string;
}

/** Longer texts are not aligned: all of one is followed by all of the other. */
const ALIGNED = 500;

/** How the lines of two texts differ, by their longest common subsequence. */
export function lineDiff(before: string, after: string): Line[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  const isLong = left.length > ALIGNED || right.length > ALIGNED;
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

/** How many lines two texts have in common from a line of each on, in this order. */
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
