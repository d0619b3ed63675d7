import { type Visitor, visitor } from "../service/pages/visitor.ts";
import type { TestService } from "../service/running-service.ts";
import { signInAt } from "./login-provider.ts";

/** Signs in with the provider as a browser does, from any address that leads there. */
export async function signInAs(user: Visitor, login: string, next = "/"): Promise<void> {
  const begun = await user.get(`/login/company?next=${encodeURIComponent(next)}`);
  const callback = new URL(await signInAt(String(begun.headers["location"]), login));
  const { status, text } = await user.get(callback.pathname + callback.search);
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
