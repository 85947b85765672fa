import { NotFoundException } from '@nestjs/common';
import { bodyOf } from '../workspace/answers.js';
import type { Credentials } from '../workspace/session.js';
import type { TppApi } from '../workspace/tpp-api.js';
import type { Listed } from './own-things.js';

/** How many items a page shows. */
const pageSize = 50;
/** Longer than each cursor that the API returns, and short enough for the URL of a request. */
const maxCursorLength = 1000;

/** Reads a page of a list below `/sandbox`, such as `payments`. `more`: further parameters. Throws as {@link bodyOf} does. */
export const readList = async <Item>(
  api: Pick<TppApi, 'send'>,
  tpp: Credentials,
  name: 'psus' | 'payments' | 'consents' | 'requests' | 'notifications',
  cursor?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Listed<Item>> => {
  if (cursor !== undefined && cursor.length > maxCursorLength) throw new NotFoundException();
  const query = new URLSearchParams({
    pageSize: String(pageSize),
    ...more,
    ...(cursor === undefined ? {} : { cursor }),
  });
  const answer = await api.send(tpp, { method: 'GET', path: `/sandbox/${name}?${query}` });
  const body = bodyOf<
    Readonly<Record<string, readonly Item[]>> & {
      readonly _links: { readonly next?: { readonly href: string } };
    }
  >(answer);
  const { href } = body._links.next ?? { href: '' };
  const next = new URL(href, 'http://bank.example').searchParams.get('cursor') ?? undefined;
  return { items: body[name] ?? [], next };
};
