import * as z from "zod/mini";
import { defineOperation } from "../operation.ts";
import { shortText } from "../texts.ts";

/*
 * Exchanges the signed token of a job for a short-lived access token, so that no secret must be stored. Only the embedded
 * service has these operations.
 */

/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 900;

/** Maximum length of an issued token, in characters. */
const MAX_TOKEN = 16 * 1024;

/** Type of an access token in RFC 8693. */
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
    /** Name of the organization, which need not exist. */
    org: shortText.check(z.minLength(1)),
  }),
  responses: { 200: z.looseObject({ audience: z.string() }) },
});

/** OpenID Connect token (a JWT). */
export const issuedToken = z.string().check(z.minLength(1), z.maxLength(MAX_TOKEN));

const repeatSecret = z.string().check(z.minLength(32), z.maxLength(128));

/**
 * Exchanges an OpenID Connect token for an access token that is valid for 15 minutes. Also accepts a form as in RFC
 * 8693, with `subject_token` for the token and `audience` for the organization. A token can be exchanged once: if the
 * response is lost, request another token from the issuer. With `repeat_secret`, the same job can exchange it again.
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
      /** Name of the trust policy to use, if several match. */
      policy: z.nullish(shortText),
      /**
       * A random secret of the job, for a token that several commands of the job share. The token can be exchanged again
       * with the secret of its first exchange, until it expires.
       */
      repeat_secret: z.nullish(repeatSecret),
    }),
  },
  responses: {
    200: z.looseObject({
      access_token: z.string(),
      issued_token_type: z.literal(ACCESS_TOKEN_TYPE),
      token_type: z.literal("Bearer"),
      /** Lifetime in seconds. */
      expires_in: z.number(),
      /** Rights of the token, such as `attester flows:web`. */
      scope: z.string(),
      /** Name of the matching trust policy. */
      policy: z.string(),
    }),
  },
  errors: {
    400: "No trust policy matches, or several do. Mismatches are listed for policies of the same repository",
    401: "The issuer of the token is not trusted, or the token has an invalid signature, has expired or was used before",
  },
});
