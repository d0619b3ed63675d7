import { type Definition, type Given, parse, type Terminal } from "./usage.ts";

/** A command of a program. */
export interface Command {
  readonly group: string;
  readonly summary: string;
  /** The whole definition. An action loads only when its command is defined or run. */
  define(): Promise<Definition>;
  /**
   * @param args the words after the command's name
   * @returns the exit status
   * @throws {UsageError} for an invalid command line
   */
  run(args: readonly string[], terminal: Terminal, program: Program): Promise<number>;
}

/** The commands of a program by name, in the order of its help. */
export type Program = Readonly<Record<string, Command>>;

/** Handlers load on demand, after the arguments were checked, so help and errors come at once. */
type Loaders<D extends Readonly<Record<string, Definition>>> = {
  readonly [Name in keyof D]: () => Promise<
    (given: Given<D[Name]>, terminal: Terminal, program: Program) => Promise<number> | number
  >;
};

/** Loads an export of a module: `loading(() => import("./share.ts"), "share")`. */
export function loading<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): () => Promise<Module[Name]> {
  return async () => (await load())[name];
}

export function commandsFrom<Names extends string, D extends Readonly<Record<Names, Definition>>>(
  definitions: D,
  loaders: Loaders<D>,
): Program {
  const entry = <Name extends Names>(name: Name): [Name, Command] => {
    const definition: D[Name] = definitions[name];
    const { group, summary } = definition;
    return [
      name,
      {
        group,
        summary,
        define: async () => definition,
        async run(args, terminal, program) {
          const given = parse<D[Name]>(args, name, definition);
          return (await loaders[name]())(given, terminal, program);
        },
      },
    ];
  };
  return Object.fromEntries((Object.keys(definitions) as Names[]).map(entry));
}

/** The command that a command line begins with: `keys create` of `keys create --account ci`. */
export function commandOf(program: Program, words: readonly string[]): string | undefined {
  return Object.keys(program).find((name) => name === words.slice(0, name.split(" ").length).join(" "));
}

/** Commands whose name begins with a word: `keys create` and so on for `keys`. */
export function commandsIn(program: Program, group: string): string[] {
  return Object.keys(program).filter((name) => name.startsWith(`${group} `));
}
