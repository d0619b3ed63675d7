import * as z from "zod/mini";

/** Latest accepted time, in Unix seconds: the start of 2100. */
export const LATEST_TIME = 4_102_444_800;

/** Unix seconds; may have a fraction. */
export const unixTime = z.number().check(z.minimum(0), z.maximum(LATEST_TIME));
