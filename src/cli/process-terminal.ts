import type { Terminal } from "./usage.ts";

/** Returns to the start of the line and clears it. */
const CLEAR = "\r\u001B[K";

/** Ends the program when its reader has, such as `head`, with the status that a shell gives to SIGPIPE. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(141);
  throw error;
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  process.stdout.on("error", endWithReader);
  let lostLines = 0;
  const countLost = (error?: Error | null) => {
    if (error) lostLines++;
  };
  return {
    environment: process.env,
    get interactive() {
      return process.stderr.isTTY === true;
    },
    get printsToTerminal() {
      return process.stdout.isTTY === true;
    },
    print: (line) => void process.stdout.write(`${line.trimEnd()}\n`, countLost),
    write: (bytes) => void process.stdout.write(bytes),
    // A line replaces the progress that is shown.
    note: (line) => void process.stderr.write(`${process.stderr.isTTY ? CLEAR : ""}${line}\n`, countLost),
    show: (line) => void process.stderr.write(CLEAR + line.slice(0, (process.stderr.columns || 80) - 1)),
    tolerateLostLines() {
      process.stdout.off("error", endWithReader);
      for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
      return () => lostLines;
    },
    readInput: async () => (await import("node:stream/consumers")).text(process.stdin),
  };
}
