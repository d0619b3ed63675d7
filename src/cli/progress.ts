import type { Progress } from "../service/store/copy/copy-records.ts";
import type { Terminal } from "./usage.ts";

/** How often a person sees it change, in ms. */
const REDRAWN_MS = 100;
/** How often a log gets a line, in ms. */
const NOTED_MS = 10_000;
const BAR = 24;

/** Shows how far something has come until it is disposed of: as a bar on a terminal, elsewhere as a line now and then. */
export function showProgress({
  interactive,
  note,
  show,
}: Terminal): Disposable & { onProgress(progress: Progress): void } {
  let shownAt = performance.now();
  return {
    onProgress(progress) {
      const now = performance.now();
      if (now - shownAt < (interactive ? REDRAWN_MS : NOTED_MS)) return;
      shownAt = now;
      if (interactive) show(barOf(progress));
      else note(lineOf(progress));
    },
    [Symbol.dispose]() {
      if (interactive) show("");
    },
  };
}

function barOf({ step, done, of }: Progress): string {
  const share = of === 0 ? 1 : Math.min(1, done / of);
  const filled = Math.round(share * BAR);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${percent}  ${step}`;
}

function lineOf({ step, done, of }: Progress): string {
  return `${step}: ${done.toLocaleString("en")} of ${of.toLocaleString("en")}`;
}
