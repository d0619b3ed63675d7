import { InputError } from "../../api/client/errors.ts";
import type { Provider } from "../../code-hosts/code-host.ts";
import { INPUTS, REPOSITORY_INPUT } from "../../code-hosts/host-client.ts";
import { hostKind } from "../../code-hosts/host-kinds.ts";
import { readPullRequests } from "../../code-hosts/read-pull-requests.ts";
import { remoteAddress, remoteToken } from "../../evidence/remote/remote-service.ts";
import type { PullRequest } from "../../github/api/pull-request.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { JobHost } from "../../github/step/ci-context.ts";
import { basicCredentials } from "../../net/basic-credentials.ts";
import type { AttestationValues } from "./inputs.ts";

interface FromHost {
  readonly pullRequests: PullRequest[];
  /** `GitLab` */
  readonly host: string;
}

/** Reads the pull requests of a commit from a code host other than GitHub, as the inputs or else the CI system name it. */
export async function askCodeHost(
  provider: Exclude<Provider, "github">,
  job: JobHost | undefined,
  sha: string,
  values: AttestationValues,
  { runner: { childEnv: env }, connection, info, mask, allowHttp }: ActionContext,
): Promise<FromHost> {
  // The job's values are of no use for another host, and its token must not reach another address.
  const own: Partial<JobHost> = job?.provider === provider ? job : {};
  const { codeHostUrl: url = own.url, codeHostRepository, codeHostUser: user, codeHostToken } = values;
  const kind = hostKind(provider, url);
  const problemWith = (input: string, problem: string, advice = "") =>
    new InputError([{ input, problem }], { advice });
  const required = (input: string, value: string | undefined, advice?: string) => {
    if (value !== undefined) return value;
    throw problemWith(input, `is required to read from ${kind.name}`, advice);
  };
  const ownToken = url === own.url ? own.token : undefined;
  const given = required(INPUTS.token, codeHostToken ?? ownToken, kind.tokenAdvice);
  const token = remoteToken(INPUTS.token, given);
  // GitLab marks the tokens of its jobs since version 16.
  if (token.startsWith("glcbt-")) throw problemWith(INPUTS.token, "is the token of a job", kind.tokenAdvice);
  const address = remoteAddress(INPUTS.address, required(INPUTS.address, url ?? kind.url), allowHttp);
  // The address of the host's interface or pages may be given instead.
  if (address.host === "bitbucket.org") address.host = "api.bitbucket.org";
  address.pathname = address.pathname.replace(/(api\/v4|2\.0)\/$/, "");
  const repository = required(REPOSITORY_INPUT, codeHostRepository ?? own.repository);
  // Personal access tokens of Azure DevOps are passwords, but the tokens of its jobs are web tokens.
  const isPassword = user !== undefined || (provider === "azure" && !token.startsWith("eyJ"));
  const secret = isPassword ? basicCredentials(user ?? "", token) : token;
  const authorization = `${isPassword ? "Basic" : "Bearer"} ${secret}`;
  const secrets = [token, secret];
  for (const each of secrets) mask(each);
  info(`Reading the pull requests of commit ${sha} from ${address.host}.`);
  const { retries } = connection;
  const pullRequests = await connection.within((deadline) =>
    readPullRequests({
      kind,
      address,
      repository,
      authorization,
      sha,
      deadline,
      retries,
      secrets,
      env,
      info,
    }),
  );
  return { pullRequests, host: kind.name };
}
