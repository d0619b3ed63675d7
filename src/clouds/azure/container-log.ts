import { unixSeconds } from "../answers.ts";

/** A line begins with its time: `2026-11-20T10:00:00.123Z`. */
const TIME_LENGTH = 24;
const DIGEST = /Digest: sha256:([0-9a-f]{64})\s*$/;

/**
 * The digest of the image that an app pulled last, and the time in Unix seconds when it was ready. Undefined unless the
 * app became ready after the pull, because it then still runs the former image.
 */
export function runningImage(log: string, app: string): { digest: string; readyAt: number } | undefined {
  const lines = log.split("\n");
  const pulled = lines.findLastIndex((line) => line.includes("Digest: sha256:"));
  const text = `for site ${app} initialized successfully and is ready to serve requests.`;
  const ready = lines.findLastIndex((line) => line.includes(text));
  const digest = DIGEST.exec(lines[pulled] ?? "")?.[1];
  if (digest === undefined || ready < pulled) return undefined;
  return { digest, readyAt: unixSeconds((lines[ready] ?? "").slice(0, TIME_LENGTH)) };
}
