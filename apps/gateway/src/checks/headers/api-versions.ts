import type { PublishedApi } from '../../endpoint-rules.js';

/** The published versions (spec 9), from oldest to newest. */
export const publishedVersions: Readonly<Record<PublishedApi, readonly string[]>> = {
  accounts: ['1.0.0', '1.3.2', '1.3.2.2'],
  'periodic-payments': ['1.0.0', '1.3.2'],
  'periodic-domestic': ['1.0.6', '1.3.2'],
};

/**
 * The version that serves a request: the version that the request names, or the newest one by default; undefined
 * if the named version is not published.
 */
export const servedVersion = (api: PublishedApi, named: string | undefined): string | undefined =>
  named === undefined
    ? publishedVersions[api].at(-1)
    : publishedVersions[api].find((version) => version === named);
