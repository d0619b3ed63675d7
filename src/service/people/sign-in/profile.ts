import * as z from "zod/mini";
import { Unproven } from "../../kernel/errors.ts";
import { oneLine } from "../../kernel/one-line.ts";
import { isStorable } from "../../kernel/storable-text.ts";
import type { LoginProvider } from "./provider.ts";

/** A person as a provider describes them. */
export interface Profile {
  readonly subject: string;
  readonly name: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly groups: readonly string[];
  /** The session at the provider, which its sign-out names. */
  readonly providerSession: string | null;
  readonly idToken: string | null;
  /** All claims, for the test of a provider. */
  readonly claims: Claims;
}

export type Claims = Readonly<Record<string, unknown>>;

const MOST_NAME = 100;
/** Maximum length of the groups times the lines of the role map, because all requests wait for their comparison. */
const MOST_COMPARED = 50_000_000;
/** Database indexes limit the length of subjects and addresses. */
export const indexed = z.string().check(z.minLength(1), z.maxLength(512), z.refine(isStorable));
const identified = z.looseObject({
  sub: indexed,
  sid: z.optional(indexed),
  email: z.catch(z.optional(indexed), undefined),
  name: z.catch(z.optional(z.string()), undefined),
  preferred_username: z.catch(z.optional(z.string()), undefined),
});

/** @throws Unproven for claims without a subject, or with a reference instead of groups */
export function profileIn(
  claims: Claims,
  { groupsClaim, roleMap }: Pick<LoginProvider, "groupsClaim" | "roleMap">,
  idToken: string | null = null,
): Profile {
  const { data } = z.safeParse(identified, claims);
  if (data === undefined) throw new Unproven("login.refused", "The provider sent no usable subject ('sub')");
  const email = claims["email_verified"] === true ? (data.email ?? null) : null;
  const names = [data.name, data.preferred_username, email, data.sub];
  const groups = groupsIn(claims, groupsClaim);
  const size = groups.reduce((sum, group) => sum + group.length + 10, 0);
  if (size * roleMap.length > MOST_COMPARED)
    throw new Unproven(
      "login.refused",
      `The provider sent ${groups.length} groups, which are too many for a role map of ${roleMap.length} lines`,
    );
  const name = names.map((each) => oneLine(each ?? "", MOST_NAME)).find((each) => each !== "");
  return {
    subject: data.sub,
    name: name ?? "unnamed",
    email,
    groups,
    providerSession: data.sid ?? null,
    idToken,
    claims,
  };
}

/** Whether claims have groups, or name the place where they are. */
export function hasGroups(claims: Claims, groupsClaim: string): boolean {
  return valueAt(claims, groupsClaim) !== undefined || isElsewhere(claims, groupsClaim);
}

/** A single text is one group. */
function groupsIn(claims: Claims, groupsClaim: string): string[] {
  if (isElsewhere(claims, groupsClaim)) {
    throw new Unproven(
      "login.refused",
      `The provider sent a reference instead of the claim '${groupsClaim}', because the person has too many groups. Use app roles: set groups_claim to roles`,
    );
  }
  return [valueAt(claims, groupsClaim)]
    .flat()
    .flatMap((group) => (typeof group === "string" && group !== "" ? [group] : []));
}

/** Microsoft Entra replaces more than 200 groups with a reference. */
function isElsewhere(claims: Claims, groupsClaim: string): boolean {
  return Object.hasOwn(Object(claims["_claim_names"]), groupsClaim);
}

/** The value of a claim, or of a JSON pointer (RFC 6901). */
function valueAt(claims: Claims, name: string): unknown {
  if (!name.startsWith("/")) return Object.hasOwn(claims, name) ? claims[name] : undefined;
  const steps = name
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce<unknown>(
    (found, step) => (Object.hasOwn(Object(found), step) ? Object(found)[step] : undefined),
    claims,
  );
}
