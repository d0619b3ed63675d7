import { httpServer, json, type LocalServer } from "../api/local-server.ts";

const TOKEN = "runner-token-of-the-job";

/** Where the jobs of a runner ask for tokens. */
export interface RunnerEndpoint {
  readonly server: LocalServer;
  /** What a job with `id-token: write` has. */
  readonly variables: Readonly<
    Record<"ACTIONS_ID_TOKEN_REQUEST_URL" | "ACTIONS_ID_TOKEN_REQUEST_TOKEN", string>
  >;
  /** It answers its next requests with these statuses. */
  readonly refusals: number[];
}

/** A real one, until the test is over. */
export async function runnerEndpoint(tokenFor: (audience: string | null) => string): Promise<RunnerEndpoint> {
  const refusals: number[] = [];
  const server = await httpServer((response, { path, headers }) => {
    const refusal = refusals.shift();
    if (refusal !== undefined) return json(response, refusal, { message: "not now" });
    if (headers.authorization !== `bearer ${TOKEN}`) return json(response, 401, {});
    const audience = new URL(path, "http://runner").searchParams.get("audience");
    return json(response, 200, { count: 1, value: tokenFor(audience) });
  });
  const variables = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `${server.url}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: TOKEN,
  };
  return { server, variables, refusals };
}
