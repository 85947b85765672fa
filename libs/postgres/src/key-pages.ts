/** The lowest UUID, from which a table of streams is read. */
export const lowestId = '00000000-0000-0000-0000-000000000000';

/**
 * Yields rows in key order, page by page, so that each statement is short and no snapshot stays open. `read` returns
 * the rows that follow a key, which is `first` or the last row yielded; the first empty page is the end.
 */
export async function* keyPages<Key, Row extends Key>(
  first: Key,
  read: (after: Key) => Promise<{ readonly rows: readonly Row[] }>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Key | undefined = first; after !== undefined;) {
    const { rows }: { readonly rows: readonly Row[] } = await read(after);
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
  }
}
