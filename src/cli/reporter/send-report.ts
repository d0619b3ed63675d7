import { adviseMissing } from "../../actions/missing-advice.ts";
import { call } from "../../api/client/call.ts";
import type { Connection } from "../../api/client/connection.ts";
import { ApiError } from "../../api/client/errors.ts";
import { createEnvironment, getEnvironment } from "../../api/resources/environments.ts";
import { type PodEntry, reportK8S } from "../../api/resources/reports.ts";
import type { Environment } from "./environments.ts";

/** Sends a report, and creates the environment before, if asked to. @returns the message of a new snapshot */
export async function sendReport(
  connection: Connection,
  { name, create }: Environment,
  pods: PodEntry[],
): Promise<string> {
  if (create) await createIfMissing(connection, name);
  try {
    const body = { type: "K8S" as const, artifacts: pods };
    const reply = await call(connection, reportK8S, { envName: name, body });
    return reply.status === 201 ? reply.body : "";
  } catch (error) {
    throw adviseMissing(error, `Create it, or set create-environment: true for '${name}'`, "Environment");
  }
}

async function createIfMissing(connection: Connection, name: string): Promise<void> {
  try {
    await call(connection, getEnvironment, { envName: name });
  } catch (error) {
    if (!(error instanceof ApiError && error.missing)) throw error;
    await call(connection, createEnvironment, { body: { name, type: "K8S", description: "" } });
  }
}
