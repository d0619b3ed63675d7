import { InputError } from "../api/client/errors.ts";
import { faultCode, whyUnusable } from "./unusable-path.ts";

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** Why a report cannot be read, to stand after the word that names it: `is not UTF-8 text`. */
export class ReportFault extends Error {
  readonly position: Position | undefined;

  constructor(problem: string, position?: Position) {
    super(problem);
    this.position = position;
  }
}

/**
 * Runs what reads the file that users know as `shown`.
 *
 * @throws InputError, under the name of `input`, when the file cannot be read or is not the report it should be.
 */
export async function readingReport<T>(input: string, shown: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const line = cause instanceof ReportFault ? cause.position?.line : undefined;
    const place = { file: shown, ...(line !== undefined && { line }) };
    throw new InputError([{ input, problem: `'${shown}'${problemOf(cause)}`, place }], { cause });
  }
}

function problemOf(cause: unknown): string {
  if (cause instanceof ReportFault) {
    const { position, message } = cause;
    return position === undefined
      ? ` ${message}`
      : `, line ${position.line}, column ${position.column}: it ${message}`;
  }
  if (faultCode(cause) === "") throw cause;
  return ` ${whyUnusable(cause)}`;
}
