import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openApiDocument } from '@xs2a/gateway/openapi/document';
import { readFileSync } from 'node:fs';
import { listOperations } from '../reference/operations.js';
import type { Fixtures } from '../start/fixtures.js';
import { brunoFiles } from './bruno.js';
import { type CollectionRequest, listRequests } from './collection.js';
import { collectionFiles } from './collection-files.js';
import { collectionsPage } from './collections-page.js';
import { leftOut } from './make-collection.js';

const baseUrl = 'https://bank.example';
const file = new URL('../../../../deploy/sandbox/sandbox-fixtures.json', import.meta.url);
const fixtures = JSON.parse(readFileSync(file, 'utf8')) as Fixtures;
const banks = (['sandbox', 'production', 'bg-euro', 'bg-euro-production'] as const).map((name) => {
  const sandbox = !name.includes('production');
  const settings = { baseUrl, pagesUrl: baseUrl, sandbox, profile: makeProfile(name) };
  const document = openApiDocument(settings);
  return { name, document, files: collectionFiles(settings, sandbox ? fixtures : undefined) };
});

/** An item of Postman's format: a folder, or a request. */
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request?: {
    readonly method: string;
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw?: string };
  };
}
const leaves = ({ item, ...rest }: Item): readonly Item[] => item?.flatMap(leaves) ?? [rest];

describe.each(banks)('the collection of the profile $name', ({ document, files }) => {
  const { collection, postman } = files;
  const requests = listRequests(collection.folders);
  const texts = [...brunoFiles(collection).values()];

  it('has every operation of the description except those that the page lists as left out', () => {
    const all = listOperations(document).map(({ operation }) => operation.operationId);
    const sent = new Set(requests.map(({ id }) => id));
    const missing = all.filter((id) => !sent.has(id));
    expect(missing).toEqual(all.filter((id) => leftOut[id] !== undefined));
    const { text } = collectionsPage(document, collection);
    const [, section = ''] = text.split('id="left-out"');
    for (const id of missing) expect(section).toContain(`<a href="/reference/${id}">`);
  });

  it('has no date that passes', () => {
    for (const { json } of requests) expect(JSON.stringify(json) ?? '').not.toMatch(/\d{4}-\d\d-\d\d/);
    expect(JSON.stringify(requests.map(({ json }) => json))).toMatch(/\{\{inDays\d+\}\}/);
  });

  it('sends no redirect URI that its user cannot set', () => {
    expect(JSON.stringify(requests)).not.toContain('localhost:8090');
  });

  it('uses only variables that the user, an earlier answer or its script sets', () => {
    const scripts = texts.find((text) => text.includes('script:pre-request')) ?? '';
    const known = new Set([
      ...Object.keys(collection.variables),
      ...[...scripts.matchAll(/setVar\('(\w+)'/g)].map(([, name]) => name),
      '$guid',
    ]);
    const unknown = (request: CollectionRequest): readonly string[] =>
      [...JSON.stringify(request).matchAll(/\{\{([^}]+)\}\}/g)].flatMap(([, name = '']) =>
        known.has(name) ? [] : [`${name} in ${request.id}`],
      );
    for (const request of requests) {
      expect(unknown(request)).toEqual([]);
      for (const name of Object.keys(request.saves)) known.add(name);
    }
  });

  it('is the same for Postman: each request, with its status and what it takes from the answer', () => {
    const items = leaves(JSON.parse(postman) as Item);
    expect(
      items.map(({ name, request, event }) => ({
        name,
        method: request?.method,
        url: request?.url.raw,
        json: request?.body?.raw === undefined ? undefined : (JSON.parse(request.body.raw) as unknown),
        checks: event?.[0]?.script.exec,
      })),
    ).toEqual(
      requests.map(({ name, method, url, json, status, saves }) => ({
        name,
        method,
        url,
        json,
        checks: [
          `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
          ...Object.entries(saves).map(
            ([to, from]) => `pm.collectionVariables.set('${to}', pm.response.json().${from});`,
          ),
        ],
      })),
    );
  });
});

describe('the secrets in a collection', () => {
  it.each(banks)('are at most those of the first shared client: profile $name', ({ name, files }) => {
    const isSandbox = !name.includes('production');
    const texts = [files.postman, ...brunoFiles(files.collection).values()].join('\n');
    expect(texts.includes('sandbox-tpp-secret')).toBe(isSandbox);
    for (const { clientSecret } of fixtures.tpps.slice(1)) expect(texts).not.toContain(clientSecret);
  });
});
