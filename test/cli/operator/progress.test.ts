import { expect, it, vi } from "vitest";
import { showProgress } from "../../../src/cli/operator/long-command.ts";

/** The progress line and notes of a command that has done a quarter, after a while. */
async function shown(interactive: boolean): Promise<string[]> {
  const written: string[] = [];
  const write = (line: string) => void written.push(line);
  const terminal = {
    environment: {},
    interactive,
    printsToTerminal: false,
    print: write,
    write: () => {},
    note: write,
    show: write,
  };
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    using progress = showProgress({
      ...terminal,
      tolerateLostLines: () => () => 0,
      readInput: async () => "",
    });
    progress.onProgress({ step: "copying trails", done: 1, of: 4_000 });
    vi.advanceTimersByTime(150);
    for (let i = 0; i < 50; i++) progress.onProgress({ step: "copying trails", done: 1_000, of: 4_000 });
  } finally {
    vi.useRealTimers();
  }
  return written;
}

it("a terminal shows a progress bar that is removed; a log has no lines for short work", async () => {
  expect(await shown(true)).toEqual(["██████░░░░░░░░░░░░░░░░░░  25%  copying trails", ""]);
  expect(await shown(false)).toEqual([]);
});
