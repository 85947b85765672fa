import { describe, expect, it } from '@jest/globals';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { guides } from '../guides/guides.js';
import { operationPage } from '../reference/operation-page.js';
import { listOperations } from '../reference/operations.js';
import { groups } from './situations.js';

const baseUrl = 'http://127.0.0.1:8080';
const situations = groups.flatMap((group) => group.situations);

/** Returns the HTML of each portal page to which a situation can link, by path. */
const pagesOf = (name: 'sandbox' | 'bg-euro'): ReadonlyMap<string, string> => {
  const profile = makeProfile(name);
  const standard = standardOf(profile);
  const document = openApiDocument({ baseUrl, pagesUrl: baseUrl, sandbox: true, profile });
  return new Map([
    ...guides[profile.standard].map((guide) => [`/guides/${guide.name}`, guide.lines.join('\n')] as const),
    ...listOperations(document).map(
      (placed) =>
        [
          `/reference/${placed.operation.operationId}`,
          operationPage({ document, baseUrl, standard }, placed).text,
        ] as const,
    ),
  ]);
};

describe.each(['sandbox', 'bg-euro'] as const)('in the profile %s, “Read more” of a situation', (name) => {
  const pages = pagesOf(name);

  it.each(situations)('leads to a section that exists in the portal: $id', ({ guide }) => {
    const [path = '', anchor = ''] = guide.split('#');
    expect(anchor).toMatch(/\w/);
    expect(pages.get(path)?.includes(`id="${anchor}"`)).toBe(true);
  });
});

describe.each(['lev', 'euro'] as const)('the guide to Certify for banks in the currency %s', (standard) => {
  const guide = guides[standard].find(({ name }) => name === 'certify-your-application');
  const text = guide?.text ?? [];
  const rows = text
    .slice(text.indexOf('## The situations'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 4)
    .map(([, situation = '', how]) => [situation, how])
    .filter(([situation = '']) => !/^(?:situation|-+)$/.test(situation));

  it('lists all situations in the order of Certify, with how to bring each about', () => {
    const all = situations.map(({ title, how }) => [title, how]);
    expect(rows).toEqual(all);
  });
});

describe('the list of situations', () => {
  it.each(['sandbox', 'bg-euro'] as const)(
    'contains the lifetime of a customer’s token in the profile %s',
    (name) => {
      const expired = situations.find(({ id }) => id === 'token-expired');
      expect(expired?.how).toContain(`${makeProfile(name).userTokenSeconds} seconds`);
    },
  );

  it('contains forty situations, each with a unique id', () => {
    expect(new Set(situations.map(({ id }) => id)).size).toBe(40);
  });
});
