import { CallFailed } from '@xs2a/domain/failure/failed';
import { readPage } from '../accounts/account-query.js';
import { link } from '../authorisations/link.js';
import { type EdgeRequest, requireCaller } from '../edge/edge-request.js';

/** The page of a list of the caller's own things that the query asks for. */
export interface OwnPage {
  readonly tppId: string;
  readonly limit: number;
  /** The cursor in the query. */
  readonly before?: string;
}

/** Reads which page the caller asks for. Throws CallFailed. */
export const readOwnPage = (request: EdgeRequest): OwnPage => {
  const page = readPage(request.query);
  if ('failures' in page) throw new CallFailed(page.failures);
  const { pageSize, cursor } = page.value;
  return { tppId: requireCaller(request).tpp.clientId, limit: pageSize, before: cursor };
};

/**
 * The links of a page: to the first page from any other, and to the next page if there is one. `more`: further parameters
 * of the query.
 */
export const ownPageLinks = (
  path: string,
  { limit, before }: OwnPage,
  next: string | undefined,
  more: Readonly<Record<string, string>> = {},
) => {
  const to = (cursor: Readonly<Record<string, string>>) =>
    link(`${path}?${new URLSearchParams({ pageSize: String(limit), ...more, ...cursor }).toString()}`);
  return {
    first: before === undefined ? undefined : to({}),
    next: next === undefined ? undefined : to({ cursor: next }),
  };
};
