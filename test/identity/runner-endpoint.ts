import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The variables of a job with `id-token: write`. */
export type JobVariables = Readonly<
  Record<"ACTIONS_ID_TOKEN_REQUEST_URL" | "ACTIONS_ID_TOKEN_REQUEST_TOKEN", string>
>;

/** Address at which a runner's jobs request tokens. */
export interface RunnerEndpoint {
  /** The variables of one more job, which gets these tokens. */
  job(tokenFor: (audience: string | null) => string): JobVariables;
  /** The audiences that jobs requested. */
  readonly audiences: readonly (string | null)[];
  /** Answers the next requests with these statuses. */
  readonly refusals: number[];
  close(): Promise<void>;
}

/** A real endpoint, until it is closed. */
export async function startRunnerEndpoint(): Promise<RunnerEndpoint> {
  /** The token source of each job, by the authorization of its requests. */
  const jobs = new Map<string, (audience: string | null) => string>();
  const audiences: (string | null)[] = [];
  const refusals: number[] = [];
  const server = createServer((request, response) => {
    const audience = new URL(request.url ?? "", "http://runner").searchParams.get("audience");
    const tokenFor = jobs.get(request.headers.authorization ?? "");
    audiences.push(audience);
    const status = refusals.shift() ?? (tokenFor === undefined ? 401 : 200);
    const answer = status === 200 ? { count: 1, value: tokenFor?.(audience) } : { message: "no token" };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    job(tokenFor) {
      const token = `runner-token-${randomUUID()}`;
      jobs.set(`bearer ${token}`, tokenFor);
      return {
        ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: token,
      };
    },
    audiences,
    refusals,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
