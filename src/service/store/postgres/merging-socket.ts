import { Socket } from "node:net";

/**
 * A socket that sends as one piece what is written within one turn of the event loop: `pg` holds back the messages of
 * one statement, and of several that nobody waits for in between each piece would cost as much as the statement.
 */
export class MergingSocket extends Socket {
  #merging = false;

  override cork(): void {
    super.cork();
    if (this.#merging) return;
    this.#merging = true;
    super.cork();
    process.nextTick(() => {
      this.#merging = false;
      super.uncork();
    });
  }
}
