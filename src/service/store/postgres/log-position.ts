/** A position in the server's log (WAL), and its time by the server's clock in milliseconds. */
export interface LogPosition {
  readonly position: bigint;
  readonly time: bigint;
}

/** The position after the last write of an instance, which its threads share. 0 before the first write. */
export type LastWrite = BigInt64Array<SharedArrayBuffer>;

const POSITION = 0;
const TIME = 1;

export function newLastWrite(): LastWrite {
  return new BigInt64Array(new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT));
}

export function positionIn(last: LastWrite): LogPosition {
  return { position: Atomics.load(last, POSITION), time: Atomics.load(last, TIME) };
}

/** Threads may note their writes in any order, so the largest values remain. */
export function noteWrite(last: LastWrite, { position, time }: LogPosition): void {
  raise(last, TIME, time);
  raise(last, POSITION, position);
}

function raise(last: LastWrite, index: number, value: bigint): void {
  for (let known = Atomics.load(last, index); known < value; ) {
    const found = Atomics.compareExchange(last, index, known, value);
    if (found === known) return;
    known = found;
  }
}

/** SQL for the columns of a position. */
export function positionColumns(lsn: string, time: string): string {
  return `${lsn} - '0/0'::pg_lsn as position, (extract(epoch from ${time}) * 1000)::bigint as time`;
}

/** Reads the columns. A copy that has replayed no transaction has no time. */
export function positionFrom({ position, time }: { position: number; time: number | null }): LogPosition {
  return { position: BigInt(position), time: BigInt(time ?? 0) };
}
