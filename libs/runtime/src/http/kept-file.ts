const yearSeconds = 31_536_000;

/**
 * The `Cache-Control` of a file whose address names its version, so that a browser may keep it for a year. While two
 * releases run, an instance may be asked for the version of the other one: it answers with its own, which is not kept.
 */
export const cacheControlOf = (asked: unknown, version: string): string =>
  asked === version ? `public, max-age=${yearSeconds}, immutable` : 'no-cache';
