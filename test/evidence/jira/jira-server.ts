import { httpServer, json, type LocalServer } from "../../api/local-server.ts";

/** Jira's response to a path below its address with a status other than 200, or for an issue that was moved. */
export interface JiraSketch {
  readonly authorization: string;
  readonly issues: readonly string[];
  /** The new keys of moved issues, by their old ones. */
  readonly moved?: Readonly<Record<string, string>>;
}

/** Jira below `/jira`, which reports every issue as missing to unknown users, as the real one does. */
export function jiraServer({ authorization, issues, moved = {} }: JiraSketch): Promise<LocalServer> {
  return httpServer((response, { path, headers }) => {
    const known = headers.authorization === authorization;
    const { pathname } = new URL(path, "http://jira");
    if (pathname === "/jira/rest/api/2/myself") {
      if (known) json(response, 200, { name: "bot" });
      else json(response, 401, { errorMessages: ["You are not authenticated."], errors: {} });
      return;
    }
    const key = /^\/jira\/rest\/api\/2\/issue\/([^/]+)$/.exec(pathname)?.[1] ?? "";
    const found = moved[key] ?? (issues.includes(key) ? key : undefined);
    if (known && found !== undefined) json(response, 200, { id: "1", key: found, fields: {} });
    else json(response, 404, { errorMessages: ["Issue does not exist or you do not have permission"] });
  });
}
