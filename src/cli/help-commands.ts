import { commandsFrom, loading, type Program } from "./program.ts";
import type { Definition } from "./usage.ts";

const group = "Help";

const COMMANDS = {
  help: {
    group,
    summary: "Print the options and examples of a command or operation",
    args: ["[COMMAND…]"],
    options: {},
    examples: ["help share", "help call listFlows"],
  },
  completion: {
    group,
    summary: "Print a script that completes commands and options in a shell",
    args: ["bash", "zsh", "fish"],
    options: {},
    details:
      'bash: eval "$(delivery-evidence completion bash)" in ~/.bashrc. zsh: eval "$(delivery-evidence completion zsh)" in ~/.zshrc, after compinit. fish: delivery-evidence completion fish | source in ~/.config/fish/config.fish.',
    examples: ["completion bash"],
  },
} as const satisfies Record<string, Definition>;

/** Commands about the program itself. */
export const HELP_COMMANDS: Program = commandsFrom(COMMANDS, {
  help: async () => {
    const { helpFor } = await import("./help.ts");
    return async ({ positionals }, { print }, program) => {
      print(await helpFor(positionals, program));
      return 0;
    };
  },
  completion: loading(() => import("./completion.ts"), "completion"),
});
