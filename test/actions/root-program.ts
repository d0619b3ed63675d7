/* The root action as a program of its own, as its bundle is. */
import { root } from "../../src/actions/root.ts";
import { runAction } from "../../src/github/run.ts";

await runAction(root);
