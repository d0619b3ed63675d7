import type { Masks } from "./masks.ts";
import { parseCommand, type WorkflowCommand } from "./workflow-commands.ts";

export type AnnotationLevel = "error" | "warning" | "notice";

/** An annotation, which GitHub shows above the log and, if it has a file, in the diff. */
export interface Annotation {
  level: AnnotationLevel;
  message: string;
  /** As sent: `title`, `file`, `line`, `endLine`, `col`, `endColumn`. The runner masks the message only. */
  properties: Readonly<Record<string, string>>;
}

/** GitHub keeps this many annotations of each level per step. */
const ANNOTATIONS_SHOWN = 10;
/** Characters kept of a message. */
const MESSAGE_LENGTH = 4096;

const LABELS = { error: "Error", warning: "Warning", notice: "Notice" } as const;
const COMMANDS = [
  ...["error", "warning", "notice", "debug", "group", "endgroup", "echo", "add-mask", "stop-commands"],
  ...["set-output", "save-state", "set-env", "add-path", "add-matcher", "remove-matcher"],
];
const NEVER_ECHOED = new Set(["error", "warning", "notice", "debug", "add-mask"]);

/** The log of one step of a job: reads program output line by line, and executes the commands in it. */
export class StepLog {
  readonly lines: string[] = [];
  /** The initial view of the run's page, with groups closed. */
  readonly page: string[] = [];
  readonly annotations: Annotation[] = [];
  /** Values of `::set-output` since they were last cleared. */
  readonly outputs = new Map<string, string>();
  /** Set when a command could not be executed, which fails the step. */
  commandFailed = false;
  readonly #masks: Masks;
  readonly #debug: boolean;
  readonly #known = new Set(COMMANDS);
  #resumeToken: string | undefined;
  #echo = false;
  #inGroup = false;

  /** @param options.debug shows debug lines, as with debug logging */
  constructor(masks: Masks, options: { debug: boolean }) {
    this.#masks = masks;
    this.#debug = options.debug;
  }

  /** Reads one line of a program's output. */
  read(line: string): void {
    const command = parseCommand(line, this.#known);
    if (command === undefined || !this.#obey(command, line)) this.write(line);
  }

  /** Writes a text to the log, secrets masked, without executing commands in it. */
  write(text: string): void {
    const line = this.#masks.apply(text);
    this.lines.push(line);
    if (!this.#inGroup) this.page.push(line);
  }

  /** Begins a group, which the run's page shows only when opened. Groups do not nest. */
  openGroup(title: string): void {
    const line = this.#masks.apply(title);
    this.lines.push(`▼ ${line}`);
    this.page.push(`▶ ${line}`);
    this.#inGroup = true;
  }

  closeGroup(): void {
    this.#inGroup = false;
  }

  annotate(level: AnnotationLevel, text: string, properties: Readonly<Record<string, string>> = {}): void {
    const message = this.#masks.apply(text.slice(0, MESSAGE_LENGTH));
    this.lines.push(`${LABELS[level]}: ${message}`);
    this.page.push(`${LABELS[level]}: ${message}`);
    const shown = this.annotations.filter((annotation) => annotation.level === level).length;
    if (shown < ANNOTATIONS_SHOWN) this.annotations.push({ level, message, properties });
  }

  /**
   * Executes a command. Returns whether the line was one. While commands are stopped, only the
   * token that resumes them is.
   */
  #obey(command: WorkflowCommand, line: string): boolean {
    if (this.#resumeToken !== undefined) {
      if (command.name !== this.#resumeToken) return false;
      this.write(line);
      this.#known.delete(this.#resumeToken);
      this.#resumeToken = undefined;
      return true;
    }
    if (this.#echo && !NEVER_ECHOED.has(command.name)) this.write(line);
    try {
      this.#perform(command, line);
    } catch (error) {
      const shown = command.name === "add-mask" ? command.name : line;
      this.annotate("error", `Unable to process command '${shown}' successfully.`);
      this.annotate("error", error instanceof Error ? error.message : String(error));
      this.commandFailed = true;
    }
    return true;
  }

  #perform({ name, properties, data }: WorkflowCommand, line: string): void {
    switch (name) {
      case "error":
      case "warning":
      case "notice":
        this.annotate(name, data, properties);
        break;
      case "debug":
        if (this.#debug) this.write(`##[debug]${data}`);
        break;
      case "group":
        this.openGroup(data);
        break;
      case "endgroup":
        this.closeGroup();
        break;
      case "add-mask":
        this.#addMask(data);
        break;
      case "stop-commands":
        this.#stopUntil(data, line);
        break;
      case "echo":
        this.#setEcho(data);
        break;
      case "set-output":
        this.outputs.set(requiredName(name, properties), data);
        this.annotate("warning", "The `set-output` command is deprecated and will be disabled soon.");
        break;
      case "save-state":
        requiredName(name, properties);
        this.annotate("warning", "The `save-state` command is deprecated and will be disabled soon.");
        break;
      case "set-env":
      case "add-path":
        throw new Error(`The \`${name}\` command is disabled.`);
      default:
        throw new Error(`The \`${name}\` command is not supported here.`);
    }
  }

  #addMask(secret: string): void {
    if (secret.trim() === "") {
      this.annotate("warning", "Can't add secret mask for empty string in ##[add-mask] command.");
    } else {
      if (this.#echo) this.write("::add-mask::***");
      this.#masks.add(secret);
    }
  }

  #stopUntil(token: string, line: string): void {
    const resume = token.toLowerCase();
    if (resume.trim() === "" || resume === "pause-logging" || this.#known.has(resume)) {
      throw new Error(
        "Invalid token for the `stop-commands` command: it must be unique, and no command's name.",
      );
    }
    this.write(line);
    this.#known.add(resume);
    this.#resumeToken = resume;
  }

  #setEcho(setting: string): void {
    const wanted = setting.trim().toLowerCase();
    if (wanted !== "on" && wanted !== "off") {
      throw new Error(
        `Invalid echo command value. Possible values can be: 'on', 'off'. Current value is: '${setting}'.`,
      );
    }
    this.#echo = wanted === "on";
  }
}

function requiredName(command: string, { name = "" }: Readonly<Record<string, string>>): string {
  if (name === "") throw new Error(`Required field 'name' is missing in ##[${command}] command.`);
  return name;
}
