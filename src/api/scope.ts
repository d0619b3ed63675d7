import * as z from "zod/mini";
import { shortText } from "./texts.ts";

/** The most flows, and the most environments, that one scope names. */
const MOST_NAMES = 100;

const names = z._default(
  z.nullish(z.array(shortText.check(z.minLength(1))).check(z.maxLength(MOST_NAMES))),
  null,
);

/**
 * What a key or a workflow may touch, by the names of flows and environments. With neither it is the whole
 * organization; with one of them, nothing but what is named.
 */
export const scopeFields = { flows: names, environments: names };

/** As it is answered: null where nothing is named. */
export const scopeAnswer = {
  flows: z.nullish(z.array(z.string())),
  environments: z.nullish(z.array(z.string())),
};
