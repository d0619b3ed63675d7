import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { PostgresOptions } from "../src/service/store/postgres/open-store.ts";
import { PREPARED } from "./postgres/prepared.ts";

/**
 * Where a service of this test keeps its records: in its data folder, or in a PostgreSQL database of its own when the
 * tests run with `TEST_ENGINE=postgres`. That has its tables already: to copy them takes a third of making them.
 */
export async function recordsOfTest(): Promise<{ database?: PostgresOptions }> {
  if (process.env["TEST_ENGINE"] !== "postgres") return {};
  return { database: { url: await newDatabase(`template ${PREPARED}`) } };
}

/**
 * Makes a database in the server that the tests share, and gives its address.
 *
 * @param clause how it is made, where that matters: `template template0 encoding 'UTF8'`
 */
export async function newDatabase(clause = ""): Promise<string> {
  const server = `postgres://evidence@127.0.0.1:${inject("postgresPort")}`;
  const name = `test_${randomBytes(8).toString("hex")}`;
  await askPostgres(`${server}/postgres`, `create database ${name} ${clause}`);
  return `${server}/${name}`;
}

/** Sends statements to a database on a connection of their own, and gives the rows of the last one. */
export async function askPostgres(
  url: string,
  statement: string,
  values?: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  // A test may end every connection there is.
  client.on("error", () => {});
  await client.connect();
  try {
    const result = await client.query(statement, values === undefined ? undefined : [...values]);
    return [result].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}
