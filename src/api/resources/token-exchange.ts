import * as z from "zod/mini";
import { defineOperation } from "../operation.ts";
import { shortText } from "../texts.ts";

/*
 * A job shows a token that its issuer signed, and gets one of ours for a while: no secret is kept anywhere. The
 * embedded
 * service alone has these operations.
 */

/** How long an access token works, in seconds. */
export const ACCESS_TOKEN_SECONDS = 900;

/** The longest token of an issuer, in characters. */
const MAX_TOKEN = 16 * 1024;

/** What RFC 8693 calls an access token, and a JWT. */
const ACCESS_TOKEN_TYPE = "urn:ietf:params:oauth:token-type:access_token";

/** Returns the audience that a token must have to be exchanged here. */
export const getTokenAudience = defineOperation({
  name: "getTokenAudience",
  summary: "Get the token audience",
  route: "GET /oidc/audience",
  access: "public",
  reach: "all",
  heavy: false,
  query: z.object({
    /** The organization, which need not exist. */
    org: shortText.check(z.minLength(1)),
  }),
  responses: { 200: z.looseObject({ audience: z.string() }) },
});

/** A token of an issuer, as text. */
export const issuedToken = z.string().check(z.minLength(1), z.maxLength(MAX_TOKEN));

/**
 * Exchanges an OpenID Connect token for an access token that is valid for 15 minutes. Also accepts a form as in RFC
 * 8693, with `subject_token` for the token and `audience` for the organization. A token can be exchanged once: if the
 * response is lost, request another token from the issuer.
 */
export const exchangeToken = defineOperation({
  name: "exchangeToken",
  summary: "Exchange a workflow's token",
  route: "POST /oidc/token",
  access: "public",
  reach: "all",
  heavy: false,
  body: {
    kind: "json",
    schema: z.object({
      token: issuedToken,
      org: shortText.check(z.minLength(1)),
      /** The trust policy to use, where several fit. */
      policy: z.nullish(shortText),
    }),
  },
  responses: {
    200: z.looseObject({
      access_token: z.string(),
      issued_token_type: z.literal(ACCESS_TOKEN_TYPE),
      token_type: z.literal("Bearer"),
      /** Seconds. */
      expires_in: z.number(),
      /** What it may do, in words: `attester flows:web`. */
      scope: z.string(),
      /** The trust policy that fits. */
      policy: z.string(),
    }),
  },
  errors: {
    400: "No trust policy fits, or several do; what does not fit is named where the policy is of the same repository",
    401: "The token is of an issuer that is not trusted, was not signed by it, has ended or was used before",
  },
});
