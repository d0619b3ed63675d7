import { list, text, token, type ValuesOf } from "../../github/input.ts";

/** Whom to ask for evidence that somebody else's service has. */
export const remoteInputs = {
  "jira-url": text({
    description:
      "For `jira`: the address of your Jira, which is asked for the issues that commit, branch and pull request name.",
  }),
  "jira-user": text({ description: "For Jira Cloud: the e-mail address that `jira-token` is of." }),
  "jira-token": token({ description: "An API token; without `jira-user` a personal access token." }),
  "jira-projects": list({ description: "Keys of the projects whose issues count; any unless given." }),
};

type RemoteValues = ValuesOf<typeof remoteInputs> & { readonly data: string | undefined };

/** What is to be said of these inputs in the tables of all inputs. */
export const REMOTE = {
  usedBy: {
    "jira-url": ["jira"],
    "jira-user": ["jira"],
    "jira-token": ["jira"],
    "jira-projects": ["jira"],
  },
  needs: {
    jira: [
      ["jira-url", "data"],
      ["jira-token", "data"],
    ],
  },
  excluding: [["data", "jira-url"]],
  ofUseWith: { "jira-user": ["jira-token"], "jira-token": ["jira-url"], "jira-projects": ["jira-url"] },
} as const;

/** Evidence as it was found before. */
interface Given {
  readonly data: string;
}

/** Whom to ask for it. */
interface JiraAsked {
  readonly data: undefined;
  readonly jiraUrl: string;
  readonly jiraToken: string;
}

export type JiraEssentials = { readonly kind: "jira" } & (Given | JiraAsked);

/** Undefined while there is neither evidence nor anybody to ask. */
export function jiraEssentials({ data, jiraUrl, jiraToken }: RemoteValues): JiraEssentials | undefined {
  if (data !== undefined) return { kind: "jira", data };
  if (jiraUrl === undefined || jiraToken === undefined) return undefined;
  return { kind: "jira", data, jiraUrl, jiraToken };
}
