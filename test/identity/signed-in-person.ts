import { type Seen, type Visitor, visitor } from "../service/pages/visitor.ts";
import type { TestService } from "../service/running-service.ts";
import { signInAt } from "./login-provider.ts";

/** Signs in at the provider as a browser does, and returns the response to the provider's redirect. */
export async function signInWith(user: Visitor, login: string, begin = "/login/company"): Promise<Seen> {
  const begun = await user.get(begin);
  if (begun.status !== 303) throw new Error(`${begin} was answered ${begun.status}: ${begun.text}`);
  const callback = new URL(await signInAt(String(begun.headers["location"]), login));
  return user.get(callback.pathname + callback.search);
}

/** Follows the button of an invitation's page. Returns the response of that page if it has none. */
export async function joinWith(
  user: Visitor,
  login: string,
  { token, provider = "company" }: { token: string; provider?: string },
): Promise<Seen> {
  const page = await user.get(`/invitations/${token}`);
  const links = [...page.text.matchAll(/href="(\/login\/[^"]+)"/g)].map(([, link = ""]) =>
    link.replaceAll("&amp;", "&"),
  );
  const begin = links.find((link) => link.startsWith(`/login/${provider}?`));
  return begin === undefined ? page : signInWith(user, login, begin);
}

/** Signs in, and leads to a page. */
export async function signInAs(user: Visitor, login: string, next = "/"): Promise<void> {
  const { status, text } = await signInWith(user, login, `/login/company?next=${encodeURIComponent(next)}`);
  if (status !== 303) throw new Error(`Signing in was answered ${status}: ${text.slice(0, 2_000)}`);
}

/** A visitor who has signed in with the provider. */
export async function signedInPerson(
  service: Pick<TestService, "address" | "dispatcher">,
  login: string,
): Promise<Visitor> {
  const user = visitor(service);
  await signInAs(user, login);
  return user;
}
