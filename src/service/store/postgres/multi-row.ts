import type { PostgresQueryResult } from "kysely";
import { Traffic } from "./batch-times.ts";
import {
  nameOf,
  type Preparing,
  type Sender,
  type Statement,
  type WriteConnection,
  writesOn,
} from "./connections.ts";

interface Waiting {
  readonly statement: Statement;
  readonly resolve: (result: PostgresQueryResult<never>) => void;
  readonly reject: (error: unknown) => void;
}

/** The lanes of writes that run at the same time on a connection. */
export interface Lanes {
  readonly traffic: Traffic;
  lane(index: number): WriteConnection;
}

/**
 * Lets writes that run at the same time share a connection. Each has a lane, whose statements stay in order. Equal inserts
 * of several lanes become one insert of several rows, which costs less than as many inserts.
 */
export function lanesOn(client: Sender, preparing: Preparing): Lanes {
  const traffic = new Traffic();
  const opened: WriteConnection[] = [];
  const lanes: Waiting[][] = [];
  let isScheduled = false;

  /** Sends after this tick, in which other lanes continue too. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    process.nextTick(sendWaiting);
  }

  /** Inserts wait until all responses have arrived, so that all lanes make theirs together. */
  function sendWaiting(): void {
    isScheduled = false;
    const isIdle = traffic.isIdle;
    const isReady = ([first]: readonly Waiting[]) =>
      first !== undefined && (isIdle || !first.statement.text.startsWith("insert "));
    for (let ready = lanes.filter(isReady); ready.length > 0; ready = lanes.filter(isReady)) {
      const next = ready.flatMap((lane) => lane.splice(0, 1));
      for (const equal of Map.groupBy(next, ({ statement }) => statement.text).values()) sendEqual(equal);
    }
  }

  function sendEqual(equal: readonly Waiting[]): void {
    const [first] = equal;
    if (first === undefined) return;
    // A power of two, so that there are few statements to prepare.
    const rows = 2 ** Math.floor(Math.log2(equal.length));
    const text = rows === 1 ? undefined : insertOf(rows, first.statement);
    if (text === undefined) {
      for (const { statement, resolve, reject } of equal) void send(statement).then(resolve, reject);
    } else {
      void sendRows(text, equal.slice(0, rows));
      sendEqual(equal.slice(rows));
    }
  }

  async function sendRows(text: string, some: readonly Waiting[]): Promise<void> {
    const values = some.flatMap(({ statement }) => statement.values);
    const isPrepared = some.every(({ statement }) => statement.name !== undefined);
    const name = isPrepared ? nameOf(text) : undefined;
    try {
      const { command, rows } = await send({ text, values, ...(name && { name }) });
      for (const [row, { resolve }] of some.entries()) {
        // PostgreSQL returns the rows of `values` in their order.
        resolve({ command, rowCount: 1, rows: rows.slice(row, row + 1) });
      }
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  async function send(statement: Statement): Promise<PostgresQueryResult<never>> {
    traffic.sent();
    try {
      return await client.query<never>(statement);
    } finally {
      traffic.answered();
      if (traffic.isIdle) schedule();
    }
  }

  const senderOf = (index: number): Sender => ({
    hasPrepared: (name) => client.hasPrepared?.(name) ?? true,
    query(statement) {
      return new Promise((resolve, reject) => {
        lanes[index] ??= [];
        lanes[index].push({ statement, resolve, reject });
        schedule();
      });
    },
  });

  function lane(index: number): WriteConnection {
    opened[index] ??= writesOn(senderOf(index), preparing);
    return opened[index];
  }

  return { traffic, lane };
}

/** The insert of one row: what comes before its values, the values, and a rest without values. */
const INSERT =
  /^(insert into [^)]*\) values )(\(.*?\))((?: on conflict \([^$]* do update [^$]*)?(?: returning [^$]*)?)$/s;

const MAX_KNOWN = 1_000;
const known = new Map<string, string | undefined>();

/** The insert of several rows. Undefined for another statement than an insert of one. */
function insertOf(rows: number, { text, values }: Statement): string | undefined {
  const key = `${rows} ${text}`;
  if (known.has(key)) return known.get(key);
  const [, head = "", row = "", rest = ""] = INSERT.exec(text) ?? [];
  const later = (index: number) =>
    row.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) + index * values.length}`);
  const all = Array.from({ length: rows }, (_, index) => later(index)).join(", ");
  const insert = row === "" ? undefined : `${head}${all}${rest}`;
  if (known.size < MAX_KNOWN) known.set(key, insert);
  return insert;
}
