/** A line of a printed request. */
export interface Line {
  readonly text: string;
  /** True if it belongs to the field in question. */
  readonly isField: boolean;
}

const childPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Prints JSON with two spaces and marks the lines of the field at `path`, in which elements of arrays are `[]`. */
export const printJson = (value: unknown, path: string | undefined): readonly Line[] => {
  const lines: Line[] = [];
  const print = (part: unknown, at: string, indent: string, before: string, after: string): void => {
    const isField =
      path !== undefined &&
      path !== '' &&
      (at === path || at.startsWith(`${path}.`) || at.startsWith(`${path}[`));
    const add = (text: string): unknown => lines.push({ text, isField });
    if (typeof part !== 'object' || part === null || Object.keys(part).length === 0) {
      add(`${indent}${before}${JSON.stringify(part)}${after}`);
      return;
    }
    const isList = Array.isArray(part);
    const entries = Object.entries(part);
    add(`${indent}${before}${isList ? '[' : '{'}`);
    for (const [index, [name, inner]] of entries.entries())
      print(
        inner,
        isList ? `${at}[]` : childPath(at, name),
        `${indent}  `,
        isList ? '' : `${JSON.stringify(name)}: `,
        index === entries.length - 1 ? '' : ',',
      );
    add(`${indent}${isList ? ']' : '}'}${after}`);
  };
  print(value, '', '', '', '');
  return lines;
};
