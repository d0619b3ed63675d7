import type * as sqlite from "node:sqlite";

/** Loads `node:sqlite` without its warning that the module is experimental. */
export function loadSqlite(): typeof sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...args: unknown[]) => {
    if (!isSqliteNotice(args[0])) Reflect.apply(emitWarning, process, args);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function isSqliteNotice(warning: unknown): boolean {
  const text = warning instanceof Error ? warning.message : String(warning);
  return text.startsWith("SQLite is an experimental feature");
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;

/** Another process held a lock for longer than the time allowed. */
export function isLockTimeout(error: unknown): boolean {
  return hasCode(error, SQLITE_BUSY);
}

export function isCorruption(error: unknown): error is Error {
  return hasCode(error, SQLITE_CORRUPT);
}

/** The higher bytes of a code only add detail. */
function hasCode(error: unknown, code: number): boolean {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return false;
  return (error.errcode & 0xff) === code;
}
