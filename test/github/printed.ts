import { onTestFinished, vi } from "vitest";

/** The job log of this work, as the runner would read it. */
export function printedBy(work: () => void): string {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  try {
    work();
  } finally {
    spy.mockRestore();
  }
  return lines.join("");
}

/** The lines the runner would execute: commands may follow spaces, and those of the older form may be anywhere. */
export function commandsIn(printed: string): string[] {
  return printed
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trimStart().startsWith("::") || line.includes("##["));
}

/** The values the runner is asked to mask. */
export function masksIn(printed: string): string[] {
  return [...printed.matchAll(/^::add-mask::(.*)$/gm)].map(([, value = ""]) =>
    value.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%"),
  );
}
