import * as z from "zod/mini";

/** The latest time that anybody can mean, in Unix seconds: the start of 2100. */
export const LATEST_TIME = 4_102_444_800;

/** A time in Unix seconds, which may have a fraction. */
export const unixTime = z.number().check(z.minimum(0), z.maximum(LATEST_TIME));
