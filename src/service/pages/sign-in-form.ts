import type { Answer } from "../http/error-answer.ts";
import type { RoutedRequest } from "../http/serve-operation.ts";
import { providersFor } from "../people/sign-in/find-provider.ts";
import type { LoginProvider } from "../people/sign-in/provider.ts";
import { ownPath } from "./own-path.ts";
import { alertBox, field } from "./parts/form.ts";
import { type Html, html, text, visible } from "./parts/html.ts";
import { utc } from "./parts/time.ts";
import { type PageParts, pathsOf, plainPage } from "./render.ts";

interface Shown {
  /** The address to show afterwards. */
  readonly next: string;
  readonly problem?: string;
  readonly status?: 403 | 502 | 503;
  /** Whether the form for a key was refused. */
  readonly isKeyRefused?: true;
}

/** The page with the providers' buttons and the form for a key. */
export async function signInForm(
  request: RoutedRequest,
  parts: PageParts,
  { next, problem, status, isKeyRefused }: Shown,
): Promise<Answer> {
  const path = ownPath(next) ?? "";
  const org = orgIn(path, pathsOf(parts).root());
  const providers = await providersFor(parts, org);
  const buttons = providerButtons(providers, path === "" ? {} : { next: path }, parts);
  const main = html`${problem === undefined ? "" : alertBox(html`<p>${visible(problem)}.</p>`)}
${buttons}
${providers.length === 0 ? keyForm(path, parts) : html`<details${isKeyRefused ? html` open` : ""}><summary>Sign in with an API key</summary>${keyForm(path, parts)}</details>`}`;
  return plainPage(
    { title: "Sign in", main, isSecret: true, ...(status === undefined ? {} : { status }) },
    request,
    parts,
  );
}

/** Buttons of providers, which carry a query to the sign-in. */
export function providerButtons(
  providers: readonly LoginProvider[],
  query: Readonly<Record<string, string>>,
  parts: PageParts,
): Html {
  if (providers.length === 0) return html``;
  const search = new URLSearchParams(query).toString();
  const items = providers.map((provider) => {
    const { name, label } = provider;
    const address = `${pathsOf(parts).root("login", name)}${search === "" ? "" : `?${search}`}`;
    const since = parts.logins.partyOf(provider).unreachableSince;
    return html`<li><a class="button" href="${address}">Sign in with ${text(label)}</a>${since === undefined ? "" : html`<p class="quiet">It has been unavailable since ${utc(since)}.</p>`}</li>`;
  });
  return html`<ul class="providers">${items}</ul>`;
}

function keyForm(next: string, parts: PageParts): Html {
  return html`<form class="act" method="post" action="${pathsOf(parts).root("login")}">
<input type="hidden" name="next" value="${next}">
${field({
  name: "key",
  label: "API key",
  type: "password",
  hint: "A key of your service account. Sessions last 24 hours.",
  isRequired: true,
  autocomplete: "current-password",
})}
<p><button type="submit">Sign in</button></p>
</form>`;
}

/** The organization of a page of this service. */
function orgIn(path: string, root: string): string | undefined {
  const own = URL.parse(path, "http://own.invalid");
  if (own?.pathname === `${root}login/device`) return own.searchParams.get("org") ?? undefined;
  const [first = ""] = path.startsWith(root) ? path.slice(root.length).split(/[/?]/) : [];
  try {
    return first === "" ? undefined : decodeURIComponent(first);
  } catch {
    return undefined;
  }
}
