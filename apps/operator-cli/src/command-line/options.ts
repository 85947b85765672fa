import { type Command, Option } from 'commander';

/** A declared option or argument of a command; `Value` is what the command gets. */
export interface Declared<Value> {
  /** Adds it to a command under a name, from which its flag is made. Returns how it is read once the command line is parsed. */
  addTo(this: void, command: Command, name: string): () => Value;
}

/** What the text of an option is read by, or the values that it may have. */
type Read<Value> = ((text: string) => Value) | readonly Value[];

const flagOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** An option with a value, which may be left out. */
class ValueOption<Value> implements Declared<Value> {
  constructor(
    private readonly value: string,
    private readonly help: string,
    private readonly settle: (option: Option) => Option,
  ) {}

  readonly addTo = (command: Command, name: string): (() => Value) => {
    command.addOption(this.settle(new Option(`--${flagOf(name)} ${this.value}`, this.help)));
    return () => command.getOptionValue(name) as Value;
  };

  /** With a default. */
  or(fallback: NonNullable<Value>): ValueOption<NonNullable<Value>> {
    return new ValueOption(this.value, this.help, (option) => this.settle(option).default(fallback));
  }

  required(): ValueOption<NonNullable<Value>> {
    return new ValueOption(this.value, this.help, (option) => this.settle(option).makeOptionMandatory());
  }
}

/** An option with a value such as `<file>`; undefined when it is not given. */
export const option = <Value = string>(
  value: string,
  help: string,
  read?: Read<Value>,
): ValueOption<Value | undefined> =>
  new ValueOption(value, help, (made) => {
    if (read === undefined) return made;
    return typeof read === 'function' ? made.argParser(read) : made.choices(read.map(String));
  });

/** An option with several values, as in `--psu A B`. */
export const severalOf = <Value extends string = string>(
  value: string,
  help: string,
  choices?: readonly Value[],
): ValueOption<readonly Value[] | undefined> =>
  new ValueOption(value.replace('>', '...>'), help, (made) =>
    choices === undefined ? made : made.choices(choices),
  );

/** An option that may be repeated, as in `--host A --host B`. */
export const repeated = <Value = string>(
  value: string,
  help: string,
  read: (text: string) => Value = (text) => text as Value,
): ValueOption<readonly Value[] | undefined> =>
  new ValueOption(value, help, (made) =>
    made.argParser((text: string, before: readonly Value[] = []) => [...before, read(text)]),
  );

/** `--name`: false unless it is given. */
export const flag = (help: string): Declared<boolean> => ({
  addTo: (command, name) => {
    command.option(`--${flagOf(name)}`, help);
    return () => command.getOptionValue(name) === true;
  },
});

/** `--no-name`: true unless it is given. */
export const flagOff = (help: string): Declared<boolean> => ({
  addTo: (command, name) => {
    command.option(`--no-${flagOf(name)}`, help);
    return () => command.getOptionValue(name) === true;
  },
});

/** A required argument. */
export const argument = (help: string): Declared<string> => {
  return {
    addTo: (command, name) => {
      const index = command.registeredArguments.length;
      command.argument(`<${flagOf(name)}>`, help);
      return () => command.args[index] ?? '';
    },
  };
};

/** All further arguments; there may be none. */
export const restArguments = (help: string): Declared<readonly string[]> => ({
  addTo: (command, name) => {
    const index = command.registeredArguments.length;
    command.argument(`[${flagOf(name)}...]`, help);
    return () => command.args.slice(index);
  },
});
