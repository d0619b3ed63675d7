import { createHash } from "node:crypto";
import { isGitHubCloudHost } from "../kernel/github-names.ts";
import type { TargetKind } from "./notification-tables.ts";

/** One place that deliveries of an action go to. */
export interface TargetAddress {
  readonly kind: TargetKind;
  /** A web address, or one mail address. */
  readonly address: string;
  /** Equal for equal kind and address, and tells nothing of them. */
  readonly key: string;
}

/** A target in the shape of the wire, as far as it says where it is. */
interface NamedTarget {
  readonly type: string;
  readonly webhook?: string;
  readonly emails?: readonly string[];
}

/** The places that the targets of an action stand for, each once: a web address, or each of the mail addresses. */
export function addressesOf(targets: readonly NamedTarget[]): TargetAddress[] {
  const named = targets.flatMap(({ type, webhook, emails = [] }) => [
    ...(webhook === undefined ? [] : [place(kindOf(type, webhook), webhook)]),
    ...emails.map((address) => place("email", address)),
  ]);
  return [...new Map(named.map((each) => [each.key, each])).values()];
}

function place(kind: TargetKind, address: string): TargetAddress {
  return { kind, address, key: createHash("sha256").update(`${kind} ${address}`).digest("hex") };
}

const SLACK_HOSTS = new Set(["hooks.slack.com", "hooks.slack-gov.com"]);
/** Where workflows of Power Automate take requests, themselves or below; the last are the connectors before them. */
const TEAMS_HOSTS = [
  ...["logic.azure.com", "logic.azure.us", "api.powerplatform.com", "api.powerautomate.com"],
  ...["flow.microsoft.com", "webhook.office.com", "outlook.office.com"],
];
/** A server of an organization's own has its interface below `/api/v3`, one of GitHub's cloud at a host of its own. */
const DISPATCHES = /^(\/api\/v3)?\/repos\/[^/]+\/[^/]+\/dispatches\/?$/;

/** Users give the address of a chat as a plain webhook too, and mean a message. */
function kindOf(type: string, webhook: string): TargetKind {
  const { hostname, pathname } = new URL(webhook);
  if (type === "SLACK" || SLACK_HOSTS.has(hostname)) return "slack";
  if (TEAMS_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return "teams";
  const [isDispatch, ofServer] = DISPATCHES.exec(pathname) ?? [];
  return isDispatch !== undefined && (isGitHubCloudHost(hostname) || ofServer !== undefined)
    ? "github"
    : "webhook";
}
