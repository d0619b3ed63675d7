import type * as sqlite from "node:sqlite";

/**
 * Loads `node:sqlite`. Some releases of Node warn on the first load that the module is experimental; that one
 * line is held back, because it tells a user nothing they could act on. Every other warning passes.
 */
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
