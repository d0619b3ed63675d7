import { MAX_FILE_BYTES } from "../api/operation.ts";

const MEGABYTE = 1024 * 1024;

/** Says that something is over the limit of a file. Sizes are rounded up, so none reads as the limit itself. */
export function oversize(what: string, bytes: number, limit: number = MAX_FILE_BYTES): string {
  const megabytes = Math.ceil((bytes / MEGABYTE) * 10) / 10;
  return `${what} is ${megabytes.toFixed(1)} MB; the limit is ${limit / MEGABYTE} MB`;
}
