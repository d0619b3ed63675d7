import { knownIssuer } from "../identity/known-issuer.ts";
import { send } from "./requests.ts";
import { ORG, type TestService } from "./running-service.ts";

/**
 * Access token of a workflow of `acme/web` that a policy named `workflow` trusts as a member.
 *
 * @param flows its flows; all by default
 * @param claims override those of a push to main
 */
export async function workflowToken(
  service: TestService,
  flows?: readonly string[],
  claims?: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { options, token } = knownIssuer();
  const asAdmin = { method: "POST", key: service.keys.admin };
  const trusted = { name: "workflow", issuer: options.url, role: "member" };
  const json = { ...trusted, repository_id: "4711", ...(flows && { flows }) };
  await send(service, { ...asAdmin, path: `/trust-policies/${ORG}`, json });
  const { audience } = (await send(service, { path: `/oidc/audience?org=${ORG}`, key: null })).body;
  const request = { token: token(audience, claims), org: ORG };
  const { body, text } = await send(service, { ...asAdmin, path: "/oidc/token", json: request, key: null });
  if (body.access_token === undefined) throw new Error(`The exchange was answered ${text}`);
  return body.access_token;
}
