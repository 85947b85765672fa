import { isIsoDate } from '@xs2a/domain/time/bank-calendar';
import { isUuid } from '@xs2a/domain/text/uuid';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { xs2a } from './own-name.js';
import { Refusal } from './refusal.js';

/** A declared option or argument of a command. `Value` is the type of the value that the command receives. */
export interface Declared<Value> {
  /**
   * Adds the option or argument to a command under a name, from which the flag is derived. Returns a function that
   * reads its value once the command line has been parsed.
   */
  addTo(this: void, command: Command, name: string): () => Value;
}

/** The parser for the text of an option, or the list of values that the option accepts. */
type Read<Value> = ((text: string) => Value) | readonly Value[];

const flagOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** An option with a value. The option may be omitted. */
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

  /** Returns the option with a default value. */
  or(fallback: NonNullable<Value>): ValueOption<NonNullable<Value>> {
    return new ValueOption(this.value, this.help, (option) => this.settle(option).default(fallback));
  }

  required(): ValueOption<NonNullable<Value>> {
    return new ValueOption(this.value, this.help, (option) => this.settle(option).makeOptionMandatory());
  }
}

/** An option with a value such as `<file>`; undefined if it is not given. */
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

const flagWith = (open: string, help: string): Declared<boolean> => ({
  addTo: (command, name) => {
    command.option(`${open}${flagOf(name)}`, help);
    return () => command.getOptionValue(name) === true;
  },
});

/** The flag `--name`: false unless it is given. */
export const flag = (help: string) => flagWith('--', help);

/** The flag `--no-name`: true unless it is given. */
export const flagOff = (help: string) => flagWith('--no-', help);

/** A required argument. */
export const argument = (help: string): Declared<string> => ({
  addTo: (command, name) => {
    const index = command.registeredArguments.length;
    command.argument(`<${flagOf(name)}>`, help);
    return () => command.args[index] ?? '';
  },
});

/** All arguments of the command; the list may be empty. */
export const allArguments = (help: string): Declared<readonly string[]> => ({
  addTo: (command, name) => {
    command.argument(`[${flagOf(name)}...]`, help);
    return () => command.args;
  },
});

/**
 * Parses a whole number in a range. `other` is the description of a valid value in the error for text that is not
 * a number.
 */
const numberBetween =
  (min: number, max: number, what: string, other = 'a whole number') =>
  (text: string): number => {
    if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(`It must be ${other}.`);
    const number = Number(text);
    if (number < min || number > max) throw new InvalidArgumentError(`It must be ${what}.`);
    return number;
  };

export const wholeNumber = numberBetween(0, Infinity, 'a whole number');

/** Parses a whole number from 1 to a maximum. */
export const countUpTo = (max: number) => {
  const what = `a whole number from 1 to ${max}`;
  return numberBetween(1, max, what, what);
};

export const httpStatus = numberBetween(200, 599, 'an HTTP status from 200 to 599');

/** Parses a stream's size limit in megabytes. The minimum is enough for two messages of the maximum size. */
export const streamMegabytes = numberBetween(4, Infinity, 'a whole number of megabytes, at least 4');

export const isoDate = (text: string): string => {
  if (!isIsoDate(text)) throw new InvalidArgumentError('It must be a date such as 2026-01-31.');
  return text;
};

/** Throws {@link Refusal} if the text is not a UUID. */
export const uuid = (text: string): string => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new Refusal(
      `${text} is not the id of a notification. Run: ${xs2a('notifications dead-letters')}`,
      2,
    );
  return text.toLowerCase();
};

/** Throws {@link Refusal} if the text is not the id of a payment, consent or signing basket. */
export const resourceId = (text: string): string => {
  if (!isUuid(text.toLowerCase()))
    throw new Refusal(`${text} is not the id of a payment, consent or signing basket.`, 2);
  return text.toLowerCase();
};
