import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

/** GitHub's sign-in of people: the part of OAuth and the API that the service uses. */
export async function startGitHubLogin(person: {
  id: number;
  login: string;
  name: string | null;
  emails: readonly { email: string; primary: boolean; verified: boolean }[];
  orgs: readonly string[];
  teams: readonly string[];
}) {
  const challenges = new Map<string, string>();
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? "", "http://github.invalid");
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url.pathname === "/login/oauth/authorize") {
      const code = `code-${challenges.size}`;
      challenges.set(code, url.searchParams.get("code_challenge") ?? "");
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.search = String(new URLSearchParams({ code, state: url.searchParams.get("state") ?? "" }));
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === "/login/oauth/access_token") {
      const sent = new URLSearchParams(await text(incoming));
      const verifier = createHash("sha256")
        .update(sent.get("code_verifier") ?? "")
        .digest("base64url");
      const code = sent.get("code") ?? "";
      const fits = challenges.get(code) === verifier && sent.get("client_secret") === "s";
      challenges.delete(code);
      // GitHub answers faults with 200.
      return json(
        fits ? { access_token: "gho_1", token_type: "bearer" } : { error: "bad_verification_code" },
      );
    }
    if (incoming.headers.authorization !== "Bearer gho_1") return json({}, 401);
    const first = (url.searchParams.get("page") ?? "1") === "1";
    switch (url.pathname) {
      case "/api/v3/user":
        return json({ id: person.id, login: person.login, name: person.name });
      case "/api/v3/user/emails":
        return json(person.emails);
      case "/api/v3/user/orgs":
        // The list has two pages.
        return json((first ? person.orgs.slice(0, 100) : person.orgs.slice(100)).map((login) => ({ login })));
      case "/api/v3/user/teams":
        return json(
          person.teams.map((each) => {
            const [login, slug] = each.split("/");
            return { slug, organization: { login } };
          }),
        );
      default:
        return json({}, 404);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    issuer: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function text(incoming: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
