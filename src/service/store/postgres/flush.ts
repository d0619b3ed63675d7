import type pg from "pg";
import type { Log } from "../../kernel/log.ts";
import { CommitUnknown, isUnavailable } from "../unavailable.ts";
import { faultOf } from "./faults.ts";
import { type LastWrite, noteWrite, positionColumns, positionFrom } from "./log-position.ts";
import { connectionOf } from "./pool.ts";

/** The notice that a standby has not confirmed a commit. The server reports such a commit as successful. */
const WAIT_FOR_STANDBY = "SyncRepWaitForLSN";

/**
 * Commits, and waits for the disk and the standbys as the server is set up. The last of several statements is the commit.
 *
 * @throws CommitUnknown when it cannot be known whether the transaction was committed
 */
export async function commitDurably(client: pg.ClientBase, text = "commit"): Promise<pg.QueryResult[]> {
  let isConfirmed = true;
  const listen = ({ routine }: { routine: string | undefined }) => {
    if (routine === WAIT_FOR_STANDBY) isConfirmed = false;
  };
  client.on("notice", listen);
  const result: pg.QueryResult | pg.QueryResult[] = await client
    .query(text)
    .catch((cause: unknown) => {
      if (faultOf(cause) !== "lost") throw cause;
      throw new CommitUnknown("The connection was lost before the commit was confirmed", { cause });
    })
    .finally(() => client.off("notice", listen));
  if (!isConfirmed) throw new CommitUnknown("The standby has not confirmed the commit");
  return [result].flat();
}

/**
 * A transaction that writes nothing is not flushed, so it writes an empty message, which nothing reads. Behind a pooler,
 * the id of the process is not the one that was announced to the client.
 */
const FLUSH = `begin; select ${positionColumns("pg_logical_emit_message(true, 'delivery_evidence', '')", "clock_timestamp()")},
  pg_backend_pid() as process; commit`;

/** A connection whose flush proves that every commit since it was opened is on the disk. */
interface Session {
  /** @throws CommitUnknown */
  flush(): Promise<void>;
  end(): void;
}

export interface Flusher {
  /**
   * Returns the open connection. Call it before the batch begins: a server that restarts loses what it has not flushed, and
   * only a connection from before notices. Undefined where commits must flush themselves: behind a pooler, whose
   * connections survive a restart, and on servers without `pg_logical_emit_message`.
   */
  session(): Promise<Session | undefined>;
  close(): Promise<void>;
}

export function flusherOn(
  pool: pg.Pool,
  {
    isPooled,
    onShared,
    lastWrite,
    log,
  }: { isPooled: boolean; onShared(): void; lastWrite: LastWrite; log: Log },
): Flusher {
  let isUsable = !isPooled;
  let opened: Promise<Session | undefined> | undefined;

  async function open(): Promise<Session> {
    const client = await connectionOf(pool, "write");
    // The types of `pg` lack this property.
    const announced: unknown = Reflect.get(client, "processID");
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      opened = undefined;
      client.release(true);
    };
    client.once("end", end);

    async function flushNow(): Promise<void> {
      const [found] = (await commitDurably(client, FLUSH)).flatMap(({ rows }) => rows);
      if (found?.process === announced) return noteWrite(lastWrite, positionFrom(found));
      isUsable = false;
      onShared();
      throw new CommitUnknown("The flush ran on another connection");
    }

    let current = Promise.resolve();
    let next: Promise<void> | undefined;
    async function run(): Promise<void> {
      current = next ?? current;
      next = undefined;
      await flushNow().catch((cause: unknown) => {
        end();
        throw cause instanceof CommitUnknown ? cause : new CommitUnknown("A flush failed", { cause });
      });
    }

    try {
      await client.query("set statement_timeout = '30s'");
      await flushNow();
    } catch (error) {
      end();
      throw error;
    }
    // The flush under way may have begun before the caller's commit.
    return { flush: () => (next ??= current.then(run)), end };
  }

  async function openIfPossible(): Promise<Session | undefined> {
    try {
      return await open();
    } catch (error) {
      opened = undefined;
      if (!isUsable) return undefined;
      if (isUnavailable(error)) throw error;
      isUsable = false;
      log({
        level: "warn",
        message: `Writes are slower, because each batch waits for its own flush: ${error}`,
      });
      return undefined;
    }
  }

  return {
    async session() {
      if (!isUsable) return undefined;
      opened ??= openIfPossible();
      return opened;
    },
    async close() {
      isUsable = false;
      const session = await opened?.catch(() => undefined);
      session?.end();
      await pool.end();
    },
  };
}
