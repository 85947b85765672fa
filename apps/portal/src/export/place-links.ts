interface Place {
  /** The path of the page in the portal. */
  readonly from: string;
  /** The exported file of each path. */
  readonly files: ReadonlyMap<string, string>;
  /** The bank's public origin. */
  readonly baseUrl: string;
}

const links = / (href|src|action)="(\/[^"?#]*)([^"]*)"/g;

/**
 * Replaces the paths in the links of a page by relative addresses of the exported files. What is not exported has the address
 * of the bank.
 */
export const placeLinks = (page: string, { from, files, baseUrl }: Place): string => {
  const up = '../'.repeat(from.split('/').length - 2);
  return page.replaceAll(links, (_, attribute: string, path: string, rest: string) => {
    const file = files.get(path);
    return ` ${attribute}="${file === undefined ? `${baseUrl}${path}` : `${up}${file}`}${rest}"`;
  });
};
