/** Returns a command with the options that have a value, quoted for a shell where necessary. */
export const commandText = (command: string, options: Readonly<Record<string, string | undefined>>): string =>
  [command, ...Object.entries(options).flatMap(optionOf)].join(' ');

const optionOf = ([name, value]: readonly [string, string | undefined]): readonly string[] =>
  value === undefined
    ? []
    : [`--${name} ${/^[\w.-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`}`];
