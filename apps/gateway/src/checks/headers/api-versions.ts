import type { PublishedApi } from '../../endpoint-rules.js';

/** The published versions of spec 9, oldest first; the last one is the newest. */
export const publishedVersions: Readonly<Record<PublishedApi, readonly string[]>> = {
  accounts: ['1.0.0', '1.3.2', '1.3.2.2'],
  'periodic-payments': ['1.0.0', '1.3.2'],
  'periodic-domestic': ['1.0.6', '1.3.2'],
};

/**
 * The version that serves a request: the one it names, or the newest if it names none; undefined if it names an
 * unpublished one.
 */
export const servedVersion = (api: PublishedApi, named: string | undefined): string | undefined =>
  named === undefined
    ? publishedVersions[api].at(-1)
    : publishedVersions[api].find((version) => version === named);
