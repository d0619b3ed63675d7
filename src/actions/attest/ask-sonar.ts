import { remoteAddress, remoteToken, withRemote } from "../../evidence/remote/remote-service.ts";
import { readAnalysis, Sonar } from "../../evidence/sonar/read-analysis.ts";
import { readReportTask } from "../../evidence/sonar/report-task.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { basicCredentials } from "../../net/basic-credentials.ts";
import type { Origin } from "../origin.ts";
import type { AttestationValues } from "./inputs.ts";

const INPUTS = { address: "sonar-url", token: "sonar-token" };

type SonarValues = AttestationValues & { readonly sonarUrl: string; readonly sonarToken: string };

/**
 * Reads the analysis that the scanner's report names. The server address comes from the step alone: the report is a
 * file of the workspace and must not choose who gets the token.
 */
export async function askSonar(values: SonarValues, { gitCommitInfo }: Origin, context: ActionContext) {
  const { runner, connection, info, warn } = context;
  const address = remoteAddress(INPUTS.address, values.sonarUrl, context.allowHttp);
  const token = remoteToken(INPUTS.token, values.sonarToken);
  const { path, taskId } = await readReportTask(values.sonarReport, runner.workspace ?? process.cwd());
  info(`Reading task ${taskId} of '${path}' from ${address.host}.`);
  const secrets = [token, basicCredentials(token)];
  for (const secret of secrets) context.mask(secret);
  const analysis = await connection.within(async (deadline) => {
    const limits = { deadline, retries: connection.retries, env: runner.childEnv, info };
    return await withRemote({ name: "Sonar", address, inputs: INPUTS, secrets, ...limits }, (service) => {
      const sonar = new Sonar(service, address, token);
      return readAnalysis({ sonar, address, taskId, deadline, info });
    });
  });
  const sha = gitCommitInfo?.sha1;
  if (sha !== undefined && analysis.revision !== "" && analysis.revision !== sha)
    warn(`The analysis is for commit ${analysis.revision}, but this step records it for commit ${sha}`);
  return analysis;
}
