/* The replay action as a program of its own, as its bundle is. */
import { replay } from "../../src/actions/replay.ts";
import { runAction } from "../../src/github/run.ts";

await runAction(replay);
