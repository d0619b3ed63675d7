import { PROVIDERS } from "../../code-hosts/code-host.ts";
import { choice, text, token } from "../../github/step/input.ts";

/** Inputs for pull requests of a code host other than GitHub. */
export const codeHostInputs = {
  "code-host": choice({
    choices: PROVIDERS,
    description: "Code host with the pull requests. Default: the host of the job's repository.",
  }),
  "code-host-url": text({
    description:
      "Address of your GitLab, Bitbucket Data Center or Azure DevOps organization. Default: the job's.",
  }),
  "code-host-repository": text({
    description: "Repository there, such as `group/project`. Default: the job's.",
  }),
  "code-host-user": text({
    description: "Email address for an API token of Bitbucket Cloud.",
  }),
  "code-host-token": token({
    description:
      "Token that reads pull requests. Default in Azure Pipelines: `SYSTEM_ACCESSTOKEN`. GitHub uses `github-token`.",
  }),
};

export const CODE_HOST_INPUTS = Object.keys(codeHostInputs);
