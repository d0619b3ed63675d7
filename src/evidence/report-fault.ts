import { InputError } from "../api/client/errors.ts";
import { faultCode, whyUnusable } from "./unusable-path.ts";

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Why a report cannot be read, to follow its name: `is not UTF-8 text`. */
export class ReportFault extends Error {
  readonly position: Position | undefined;

  constructor(problem: string, position?: Position) {
    super(problem);
    this.position = position;
  }
}

/**
 * @param shown the file's name in messages
 * @throws InputError for `input`, for an unreadable or invalid report
 */
export async function readingReport<T>(input: string, shown: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const line = cause instanceof ReportFault ? cause.position?.line : undefined;
    const place = { file: shown, ...(line !== undefined && { line }) };
    throw new InputError(
      [{ input, code: "report.unreadable", problem: `'${shown}'${problemOf(cause)}`, place }],
      { cause },
    );
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
