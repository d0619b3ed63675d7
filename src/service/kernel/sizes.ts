import { TooLarge } from "./errors.ts";

const UNITS = { MB: 1024 * 1024, kB: 1024 } as const;

/** A readable size: `11.2 MB`, `10 MB`, `512 bytes`. */
export function sizeText(bytes: number): string {
  for (const [unit, size] of Object.entries(UNITS)) {
    if (bytes >= size) return `${Number((bytes / size).toFixed(bytes % size === 0 ? 0 : 1))} ${unit}`;
  }
  return `${bytes} bytes`;
}

export function tooLarge(what: string, bytes: number, limit: number): TooLarge {
  // A few bytes over would read "10 MB; the limit is 10 MB".
  const size = sizeText(bytes) === sizeText(limit) ? `${bytes} bytes` : sizeText(bytes);
  return new TooLarge("request.too_large", `${what} is ${size}; the limit is ${sizeText(limit)}`);
}

export function tooLargeSoFar(what: string, limit: number): TooLarge {
  return new TooLarge(
    "request.too_large",
    `${what} is more than ${sizeText(limit)}; the limit is ${sizeText(limit)}`,
  );
}
