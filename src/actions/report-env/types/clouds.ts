import { InputError } from "../../../api/client/errors.ts";
import type { CloudOptions } from "../../../clouds/cloud.ts";
import type { ActionContext } from "../../../github/step/action.ts";
import { identityToken } from "../../../github/step/identity-token.ts";
import { tokenRequest } from "../../../github/step/token-request.ts";

/** Reads a cloud within the step's time limit. @param login the input that needs the job's identity */
export function readCloud<T>(
  context: ActionContext,
  login: string,
  read: (options: CloudOptions) => Promise<T>,
): Promise<T> {
  const { connection, runner, allowHttp, mask, info, warn } = context;
  const env = runner.childEnv;
  return connection.within((deadline) =>
    read({
      env,
      deadline,
      allowHttp,
      mask,
      info,
      onWarning: warn,
      async identityToken(audience) {
        const request = tokenRequest(env);
        if (request === undefined) {
          const problem = "needs the identity of the job, which has no permission id-token: write";
          const advice = `Grant it in the job. Outside of GitHub Actions, leave ${login} out and log in by variables.`;
          throw new InputError([{ input: login, problem }], { advice });
        }
        const token = await identityToken(request, audience, { service: connection, proxyVariables: env });
        mask(token);
        return token;
      },
    }),
  );
}
