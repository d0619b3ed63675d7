import type { OperationShape } from "../../api/operation.ts";
import { type MemberOperationName, operations } from "../../api/resources/operations.ts";
import { toWire } from "../../api/wire-names.ts";
import { mayOf } from "./operation-calls.ts";
import type { Crumb, Page } from "./page.ts";
import { code } from "./parts/blocks.ts";
import { alertBox } from "./parts/form.ts";
import { type Html, html, text, visible } from "./parts/html.ts";
import { linkIf } from "./parts/links.ts";
import { time } from "./parts/time.ts";
import type { Paths } from "./paths.ts";
import type { Viewer } from "./viewers.ts";

interface Frame {
  readonly org: string;
  readonly viewer: Viewer | undefined;
  readonly to: Paths;
  /** The reason that the form was refused. */
  readonly alert?: Html | undefined;
  readonly theme?: "light" | "dark" | undefined;
  /** Path of the page in the service. */
  readonly path: string;
}

interface Entry {
  readonly name: string;
  /** First step of its addresses, below the organization. Empty for the home page. */
  readonly step: string;
  readonly operation: MemberOperationName;
  readonly forAccounts?: true;
}

const NAVIGATION: Readonly<Record<string, readonly Entry[]>> = {
  Deliver: [
    { name: "Home", step: "", operation: "listTrails" },
    { name: "Deployments", step: "deployments", operation: "listDeployments" },
    { name: "Flows", step: "flows", operation: "listFlows" },
    { name: "Environments", step: "environments", operation: "listEnvironments" },
    { name: "Approvals", step: "approvals", operation: "listFlows" },
    { name: "Repositories", step: "repos", operation: "listRepos" },
  ],
  Govern: [
    { name: "Policies", step: "policies", operation: "listPolicies" },
    { name: "Controls", step: "controls", operation: "listControls" },
    { name: "Reports", step: "reports", operation: "listDeployments" },
    { name: "Attestation types", step: "attestation-types", operation: "listCustomAttestationTypes" },
    { name: "Audit log", step: "audit-log", operation: "listAuditLog" },
  ],
  Settings: [
    { name: "Notifications", step: "actions", operation: "listActions", forAccounts: true },
    { name: "People", step: "people", operation: "listMembers" },
    { name: "Service accounts", step: "accounts", operation: "listServiceAccounts" },
    { name: "Login providers", step: "login-providers", operation: "listLoginProviders" },
    { name: "Trust policies", step: "trust-policies", operation: "listTrustPolicies" },
    { name: "Hooks", step: "hooks", operation: "listHooks" },
    { name: "Admission webhooks", step: "admission-webhooks", operation: "listAdmissionWebhooks" },
    { name: "Share links", step: "links", operation: "listShareLinks" },
  ],
};

export function layout(page: Page, frame: Frame): Html {
  const { title, heading = text(title), above = [], main, json, howTo } = page;
  const { org, viewer, to, alert, theme } = frame;
  const names = [title, ...above.map(([name]) => name).reverse(), org].filter((name) => name !== "");
  // Steps and requests need a key or a trust policy.
  const hasAccount = viewer?.kind === "account";
  const chosen = theme === undefined ? "" : html` data-theme="${theme}"`;
  return html`<!doctype html>
<html lang="en"${chosen}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${visible(names.join(" - "))}</title>
<link rel="icon" href="${to.asset("icon.svg")}" type="image/svg+xml">
<link rel="stylesheet" href="${to.asset("page.css")}">
<script src="${to.asset("page.js")}" type="module"></script>
</head>
<body${org === "" ? html` class="entry"` : ""}>
<a class="skip" href="#main">Skip to content</a>
${header(frame)}
<main id="main" tabindex="-1">
${crumbs(above, frame)}
${alert === undefined ? "" : alertBox(alert)}
<h1>${heading}</h1>
${main}
</main>
<footer>
${viewer?.kind === "share" ? html`<p>You are viewing this page through a share link, which expires ${time(viewer.until)}.</p>` : ""}
${howTo === undefined || !hasAccount ? "" : html`<details><summary>${howTo.title}</summary>${code(howTo.code)}</details>`}
${json === undefined || !hasAccount ? "" : sameAsJson(json, { org, to })}
</footer>
</body>
</html>
`;
}

const MARK = html`<svg class="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><rect width="16" height="16" rx="4"></rect><path d="M4 8.5 7 11.5 12.5 5"></path></svg>`;
const CHEVRON = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="M4 6l4 4 4-4"></path></svg>`;
const BARS = html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="M2 4h12M2 8h12M2 12h12"></path></svg>`;

function header(frame: Frame): Html {
  const { org, viewer, to } = frame;
  if (viewer === undefined || org === "") {
    return html`<header>
<p class="home">${MARK} Delivery evidence</p>
</header>`;
  }
  if (viewer.kind === "share") {
    return html`<header>
<p class="home">${text(org)}</p>
</header>`;
  }
  return html`<header>
<button type="button" class="menu" popovertarget="menu" aria-label="Menu">${BARS}</button>
<p class="home"><a href="${to.page()}">${MARK} ${text(org)}</a></p>
${switcher(viewer, frame)}
<form class="search" role="search" action="${to.page("search")}">
<label class="unseen" for="q">Search</label>
<input id="q" name="q" type="search" placeholder="Search" autocomplete="off" spellcheck="false">
<button type="submit">Search</button>
</form>
<p class="who">${viewer.kind === "account" ? html`<a href="${to.root("settings")}">${text(viewer.caller.accountName)}</a>` : html`<a href="${to.root("login")}">Sign in</a>`}</p>
</header>
${navigation(viewer, frame)}`;
}

/** A list of the person's other organizations. */
function switcher(viewer: Viewer, { org, to }: Frame): Html {
  const orgs = viewer.kind === "account" ? (viewer.person?.orgs ?? []) : [];
  if (orgs.length < 2) return html``;
  return html`<button type="button" class="switch" popovertarget="organizations" aria-label="Switch organization">${CHEVRON}</button>
<ul id="organizations" class="orgs" popover>${orgs.map(
    (each) =>
      html`<li><a href="${to.root(each)}"${each === org ? html` aria-current="true"` : ""}>${text(each)}</a></li>`,
  )}</ul>`;
}

function navigation(viewer: Viewer, { to, path }: Frame): Html {
  const may = mayOf(viewer);
  const isCurrent = (step: string) => {
    const address = to.page(...(step === "" ? [] : [step]));
    return path === address || (step !== "" && path.startsWith(`${address}/`));
  };
  const groups = Object.entries(NAVIGATION).map(([name, entries]) => {
    const shown = entries.filter(
      ({ operation, forAccounts = false }) => may(operation) && (viewer.kind === "account" || !forAccounts),
    );
    return { name, shown };
  });
  return html`<nav id="menu" class="rail" popover aria-label="Main">${groups
    .filter(({ shown }) => shown.length > 0)
    .map(
      ({ name, shown }) => html`
<p id="menu-${name}">${name}</p>
<ul aria-labelledby="menu-${name}">${shown.map(
        ({ name: label, step }) => html`
<li><a href="${to.page(...(step === "" ? [] : [step]))}"${isCurrent(step) ? html` aria-current="page"` : ""}>${label}</a></li>`,
      )}
</ul>`,
    )}
</nav>`;
}

function crumbs(above: readonly Crumb[], { org, viewer, to }: Frame): Html {
  if (above.length === 0 || viewer === undefined) return html``;
  // Viewers of a share link get names without links.
  const isLinked = viewer.kind !== "share";
  const all = [...(org === "" ? [] : [[org, to.page()] as const]), ...above];
  return html`<nav aria-label="Breadcrumb" class="crumbs"><ol>${all.map(
    ([name, href]) => html`<li>${linkIf(isLinked, href, name)}</li>
`,
  )}</ol></nav>`;
}

function sameAsJson(
  { operation, given }: NonNullable<Page["json"]>,
  { org, to }: Pick<Frame, "org" | "to">,
): Html {
  const { path, params, query }: OperationShape = operations[operation];
  const wireOf = (schema: OperationShape["params"]) =>
    schema === undefined
      ? {}
      : Object.fromEntries(
          Object.entries(Object(toWire(schema, given))).filter(
            ([name, value]) => value !== undefined && name in schema._zod.def.shape,
          ),
        );
  const inPath: Record<string, unknown> = { ...wireOf(params), org };
  const search = new URLSearchParams(
    Object.entries(wireOf(query)).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  );
  const address = to.api(
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name] ?? ""))),
  );
  const whole = search.size === 0 ? address : `${address}?${search}`;
  const lines = `curl -H "Authorization: Bearer $EVIDENCE_API_KEY" \\\n  '${whole.replaceAll("'", "%27")}'`;
  return html`<details><summary>This page as JSON</summary>${code(lines)}</details>`;
}
