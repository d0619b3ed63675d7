import type { Attributes } from "./attributes.ts";
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from "./attributes.ts";

/* Descriptions of features, types of resources and attributes, for clients (RFC 7643, 5 to 7). */

/** Maximum number of resources in a list. */
export const MOST_RESOURCES = 200;

const CORE = "urn:ietf:params:scim:schemas:core:2.0";

export const SERVICE_PROVIDER_CONFIG: Attributes = {
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MOST_RESOURCES },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "SCIM token",
      description: "A token of the organization, as a Bearer token",
      primary: true,
    },
  ],
};

export const RESOURCE_TYPES: readonly (Attributes & { readonly id: string })[] = [
  {
    schemas: [`${CORE}:ResourceType`],
    ...{ id: "User", name: "User", endpoint: "/Users", description: "A person" },
    schema: USER_SCHEMA,
    schemaExtensions: [{ schema: ENTERPRISE_SCHEMA, required: false }],
  },
  {
    schemas: [`${CORE}:ResourceType`],
    ...{ id: "Group", name: "Group", endpoint: "/Groups", description: "People who may have a role" },
    ...{ schema: GROUP_SCHEMA, schemaExtensions: [] },
  },
];

interface Described extends Attributes {
  readonly name: string;
}

function attribute(name: string, description: string, more: Attributes = {}): Described {
  return {
    ...{ name, type: "string", multiValued: false, description, required: false, caseExact: false },
    ...{ mutability: "readWrite", returned: "default", uniqueness: "none" },
    ...more,
  };
}

function complex(name: string, description: string, subAttributes: readonly Described[]): Described {
  return attribute(name, description, { type: "complex", subAttributes });
}

/** A multi-valued attribute with the usual fields. */
function values(name: string, description: string, more: readonly Described[] = VALUE): Described {
  return { ...complex(name, description, more), multiValued: true };
}

const VALUE = [
  attribute("value", "The value"),
  attribute("display", "The value for people"),
  attribute("type", "The kind of the value, such as work"),
  attribute("primary", "Whether it is the preferred value", { type: "boolean" }),
];

const ADDRESS = [
  attribute("formatted", "The whole address"),
  attribute("streetAddress", "Street and number"),
  attribute("locality", "City"),
  attribute("region", "State or region"),
  attribute("postalCode", "Postal code"),
  attribute("country", "Country"),
  ...VALUE.slice(2),
];

const reference = { type: "reference", referenceTypes: ["external"], caseExact: true };
const exact = { caseExact: true };

const USER = [
  attribute("userName", "The name that identifies the user", { required: true, uniqueness: "server" }),
  attribute("externalId", "The id at the identity provider, by which a person is recognized", exact),
  complex("name", "Parts of the name", [
    attribute("formatted", "The whole name"),
    attribute("familyName", "Family name"),
    attribute("givenName", "Given name"),
    attribute("middleName", "Middle name"),
    attribute("honorificPrefix", "Title before the name"),
    attribute("honorificSuffix", "Title after the name"),
  ]),
  attribute("displayName", "The name for people"),
  attribute("nickName", "Nickname"),
  attribute("profileUrl", "Address of a page about the user", reference),
  attribute("title", "Job title"),
  attribute("userType", "Relation to the company"),
  attribute("preferredLanguage", "Language, such as en-US"),
  attribute("locale", "Locale, such as en-US"),
  attribute("timezone", "Time zone, such as Europe/Berlin"),
  attribute("active", "Whether the person may have access", { type: "boolean" }),
  values("emails", "Email addresses"),
  values("phoneNumbers", "Phone numbers"),
  values("ims", "Instant messaging addresses"),
  values("photos", "Addresses of photos", [attribute("value", "The address", reference), ...VALUE.slice(1)]),
  values("addresses", "Postal addresses", ADDRESS),
  values("entitlements", "Entitlements. The service gives no rights for them"),
  values("roles", "Roles. The service gives no rights for them"),
  values("x509Certificates", "Certificates", [
    attribute("value", "The certificate", { type: "binary", caseExact: true }),
    ...VALUE.slice(1),
  ]),
];

const GROUP = [
  attribute("displayName", "The name, for which a role map may give a role", {
    required: true,
    uniqueness: "server",
  }),
  attribute("externalId", "The id at the identity provider, for which a role map may give a role", exact),
  values("members", "Users of the group", [
    attribute("value", "Id of the user", { ...exact, mutability: "immutable" }),
    attribute("$ref", "Address of the user", {
      ...{ type: "reference", referenceTypes: ["User"], caseExact: true, mutability: "immutable" },
    }),
    attribute("type", "User", { mutability: "immutable", canonicalValues: ["User"] }),
  ]),
];

const ENTERPRISE = [
  attribute("employeeNumber", "Employee number"),
  attribute("costCenter", "Cost center"),
  attribute("organization", "Organization"),
  attribute("division", "Division"),
  attribute("department", "Department"),
  complex("manager", "The manager", [
    attribute("value", "Id of the manager", exact),
    attribute("$ref", "Address of the manager", {
      ...{ type: "reference", referenceTypes: ["User"], caseExact: true },
    }),
    attribute("displayName", "Name of the manager", { mutability: "readOnly" }),
  ]),
];

function schema(id: string, name: string, attributes: readonly Described[]) {
  return { schemas: [`${CORE}:Schema`], id, name, description: name, attributes };
}

export const SCHEMAS = [
  schema(USER_SCHEMA, "User", USER),
  schema(GROUP_SCHEMA, "Group", GROUP),
  schema(ENTERPRISE_SCHEMA, "EnterpriseUser", ENTERPRISE),
];
