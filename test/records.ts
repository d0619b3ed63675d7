import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { PostgresOptions } from "../src/service/store/postgres/open-store.ts";
import { PREPARED } from "./postgres/prepared.ts";

/**
 * The location of a test service's records: its data folder, or its own PostgreSQL database when the tests run with
 * `TEST_ENGINE=postgres`. It has its tables already, because copying them takes a third of the time of creating
 * them.
 */
export async function recordsOfTest(): Promise<{ database?: PostgresOptions }> {
  if (process.env["TEST_ENGINE"] !== "postgres") return {};
  return { database: { url: await newDatabase(`template ${PREPARED}`) } };
}

/**
 * Creates a database in the tests' shared server and returns its address.
 *
 * @param clause options for its creation: `template template0 encoding 'UTF8'`
 */
export async function newDatabase(clause = ""): Promise<string> {
  const server = `postgres://evidence@127.0.0.1:${inject("postgresPort")}`;
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Copying files takes a third of the time of copying pages through the log.
  await askPostgres(`${server}/postgres`, `create database ${name} strategy file_copy ${clause}`);
  return `${server}/${name}`;
}

/** Sends statements to a database on a separate connection, and returns the rows of the last one. */
export async function askPostgres(
  url: string,
  statement: string,
  values?: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  // A test may close every connection.
  client.on("error", () => {});
  await client.connect();
  try {
    const result = await client.query(statement, values === undefined ? undefined : [...values]);
    return [result].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}
