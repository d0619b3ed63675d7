import type { Connection } from "../../../api/client/connection.ts";
import { Aws, type AwsLogin, type AwsLogins } from "../../../clouds/aws/aws.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import { readCloud } from "./clouds.ts";

/** A step logs in once for each role, however many environments it reports. */
const logins = new WeakMap<Connection, AwsLogins>();

/** Reads a region of AWS within the step's time limit. */
export function readAws<T>(
  login: AwsLogin,
  context: ActionContext,
  read: (aws: Aws) => Promise<T>,
): Promise<T> {
  const { connection } = context;
  const known: AwsLogins = logins.get(connection) ?? new Map();
  logins.set(connection, known);
  return readCloud(context, "aws-role", async (options) => {
    const aws = new Aws(options, login, known);
    return read(aws).finally(() => aws[Symbol.asyncDispose]());
  });
}
