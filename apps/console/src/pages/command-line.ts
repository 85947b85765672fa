/** Returns a command with the options that have a value, as it can be pasted into a shell. */
export const commandLine = (
  command: string,
  options: Readonly<Record<string, string | undefined>> = {},
): string =>
  [
    command,
    ...Object.entries(options).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${quoted(value)}`],
    ),
  ].join(' ');

/** A text as one word of a shell. */
export const quoted = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
