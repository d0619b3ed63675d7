import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type { PostgresOptions } from "../src/service/store/postgres/open-store.ts";

/**
 * Where a service of this test keeps its records: in its data folder, or in a PostgreSQL database of its own when the
 * tests run with `TEST_ENGINE=postgres`.
 */
export async function recordsOfTest(): Promise<{ database?: PostgresOptions }> {
  if (process.env["TEST_ENGINE"] !== "postgres") return {};
  const server = `postgres://evidence@127.0.0.1:${inject("postgresPort")}`;
  const name = `test_${randomBytes(8).toString("hex")}`;
  const client = new pg.Client(`${server}/postgres`);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return { database: { url: `${server}/${name}` } };
}
