import { issueKeyFinder, type LookedUpIssue, lookUpIssues } from "../../evidence/jira/look-up-issues.ts";
import { remoteAddress, remoteToken, withRemote } from "../../evidence/remote/remote-service.ts";
import { pullRequestTexts } from "../../github/api/pull-request-texts.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { basicCredentials } from "../../net/basic-credentials.ts";
import type { Origin } from "../origin.ts";
import type { AttestationValues } from "./inputs.ts";

const INPUTS = { address: "jira-url", token: "jira-token" };

type JiraValues = AttestationValues & { readonly jiraUrl: string; readonly jiraToken: string };

/**
 * Finds the issues named by the commit message, branch and pull requests, and reads each from Jira. Redacted fields are
 * not searched.
 */
export async function askJira(
  values: JiraValues,
  origin: Origin,
  context: ActionContext,
): Promise<LookedUpIssue[]> {
  const { runner, connection, info } = context;
  const address = remoteAddress(INPUTS.address, values.jiraUrl, context.allowHttp);
  const token = remoteToken(INPUTS.token, values.jiraToken);
  const findKeys = issueKeyFinder(values.jiraProjects);
  const keys = findKeys(await textsOf(values, origin, context));
  if (keys.length === 0) return [];
  const user = values.jiraUser;
  const basic = user === undefined ? undefined : basicCredentials(user, token);
  if (basic !== undefined) context.mask(basic);
  const authorization = basic === undefined ? `Bearer ${token}` : `Basic ${basic}`;
  info(`Reading ${keys.join(", ")} from ${address.host}.`);
  return connection.within(async (deadline) => {
    const secrets = basic === undefined ? [token] : [token, basic];
    const limits = { deadline, retries: connection.retries, env: runner.childEnv, info };
    return await withRemote({ name: "Jira", address, inputs: INPUTS, secrets, ...limits }, (jira) =>
      lookUpIssues({ jira, address, authorization, keys }),
    );
  });
}

async function textsOf(
  { githubToken, redact }: AttestationValues,
  { gitCommitInfo }: Origin,
  { runner, signal, warn }: ActionContext,
): Promise<string[]> {
  if (gitCommitInfo === undefined) return [];
  const { sha1: sha, message, branch } = gitCommitInfo;
  const question = { runner, sha, token: githubToken, redact: new Set(redact), signal, warn };
  const ofPullRequests = await pullRequestTexts(question);
  return [message ?? "", branch ?? "", ...ofPullRequests];
}
