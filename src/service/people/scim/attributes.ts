/* Attributes of SCIM resources (RFC 7643). Their names are compared without regard to case. */

export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const ENTERPRISE_SCHEMA = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

export type Attributes = Record<string, unknown>;

const MULTI_VALUED = [
  ...["emails", "phoneNumbers", "ims", "photos", "addresses", "entitlements", "roles", "x509Certificates"],
  "members",
] as const;

const NAMES = [
  ...["id", "externalId", "userName", "displayName", "nickName", "profileUrl", "title", "userType", "active"],
  ...["preferredLanguage", "locale", "timezone", "name", "manager", "meta", "schemas", "groups", "password"],
  ...["formatted", "familyName", "givenName", "middleName", "honorificPrefix", "honorificSuffix"],
  ...["value", "type", "primary", "display", "$ref", "streetAddress", "locality", "region", "postalCode"],
  ...["country", "employeeNumber", "costCenter", "organization", "division", "department"],
  ...[ENTERPRISE_SCHEMA, ...MULTI_VALUED],
];
const CANONICAL = new Map(NAMES.map((name) => [name.toLowerCase(), name]));

/** Attributes that the service assigns, or that it must not keep. */
const NOT_KEPT: ReadonlySet<string> = new Set(["id", "meta", "schemas", "groups", "password", "__proto__"]);

/** The name of an attribute as RFC 7643 writes it. Other names stay. */
export function canonicalName(name: string): string {
  return CANONICAL.get(name.toLowerCase()) ?? name;
}

export function isKept(name: string): boolean {
  return !NOT_KEPT.has(canonicalName(name));
}

export function isMultiValued(name: string): boolean {
  return MULTI_VALUED.some((each) => each === name);
}

export function isObject(value: unknown): value is Attributes {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Attributes of a resource as sent, with canonical names and values, and without those that are not kept. */
export function canonicalAttributes(sent: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      const known = canonicalName(name);
      return isKept(known) && value !== null ? [[known, canonicalValue(known, value)]] : [];
    }),
  );
}

/** Entra sends booleans as text, and a manager as an id. */
export function canonicalValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => canonicalValue("", each));
  if (isObject(value)) {
    const inner = Object.entries(value).filter(([key, item]) => key !== "__proto__" && item !== null);
    const named = Object.fromEntries(
      inner.map(([key, item]) => [canonicalName(key), canonicalValue(canonicalName(key), item)]),
    );
    return isMultiValued(name) ? [named] : named;
  }
  if (typeof value !== "string") return value;
  if (name === "manager") return { value };
  if (name === "active" || name === "primary") return booleanIn(value) ?? value;
  return value;
}

export function booleanIn(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string" || !/^(true|false)$/i.test(value)) return undefined;
  return value.toLowerCase() === "true";
}
