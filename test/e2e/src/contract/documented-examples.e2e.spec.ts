import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson, send } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { authorised, listCodes, sandboxNow } from '@xs2a/test-support/requests';
import { domesticProduct } from '@xs2a/test-support/home';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { randomUUID } from 'node:crypto';
import { World } from '@xs2a/test-support/world';

interface Example {
  readonly value: unknown;
  /** Contains status and code if the documented response is an error. */
  readonly description?: string;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json'?: {
        readonly example?: unknown;
        readonly examples?: Readonly<Record<string, Example>>;
      };
    };
  };
  readonly responses: Readonly<Record<string, unknown>>;
}

let world: World;
let ivan: FreshPsu;
beforeAll(async () => {
  world = await World.start();
  ivan = { psuId: 'ivan', password: 'sandbox', accounts: [] };
}, 120_000);
afterAll(async () => world.stop());

interface Documented {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** The product, if there is an example for each product. */
  readonly product?: string;
  readonly example: Example;
}

const listExamples = async (): Promise<Documented[]> => {
  const { paths } = parseJson<{ paths: Record<string, Record<string, Operation>> }>(
    await send('GET', `${world.baseUrl}/openapi.json`),
  );
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): Documented[] => {
      const { example, examples } = operation.requestBody?.content['application/json'] ?? {};
      const one = { method: method.toUpperCase(), path, operation };
      if (example !== undefined) return [{ ...one, example: { value: example } }];
      return Object.entries(examples ?? {}).map(([product, found]) => ({ ...one, product, example: found }));
    }),
  );
};

/** The ids of this run, which replace the ids in the examples, as a reader inserts the ids from previous responses. */
type Ids = Record<string, string>;
const withIds = (text: string, ids: Ids): string =>
  Object.entries(ids).reduce((changed, [shown, own]) => changed.replaceAll(shown, own), text);

/** Returns the responses that later examples refer to, by their ids in the document. */
const shownIds = async (): Promise<Readonly<Record<string, string>>> => {
  const { paths } = parseJson<{ paths: Record<string, Record<string, Operation>> }>(
    await send('GET', `${world.baseUrl}/openapi.json`),
  );
  const answerOf = (path: string): Record<string, unknown> => {
    const responses = paths[path]?.['post']?.responses as Record<
      string,
      { content: { 'application/json': { example: Record<string, unknown> } } }
    >;
    return responses['201']?.content['application/json'].example ?? {};
  };
  const psu = answerOf('/sandbox/psus') as { psuId: string; accounts: { iban: string }[] };
  return {
    payment: String(answerOf('/v1/payments/{payment-product}')['paymentId']),
    consent: String(answerOf('/v1/consents')['consentId']),
    tpp: String(answerOf('/sandbox/tpps')['clientId']),
    psu: psu.psuId,
    iban: psu.accounts[0]?.iban ?? '',
  };
};

const tokenFor = async (tpp: TppClient, path: string): Promise<string> => {
  if (path !== '/v1/funds-confirmations') return tpp.applicationToken('PSP_AI PSP_PI');
  return (await authorised(world, tpp, ivan, 'PSP_IC')).access_token;
};

/** Returns the headers that the document requires for a path, apart from those of every call. */
const headersFor = async (path: string): Promise<Record<string, string>> => {
  if (path === '/v1/consents') return { 'psu-id': 'ivan' };
  if (!path.startsWith('/sandbox/vop/')) return {};
  return { 'x-request-id': randomUUID(), 'x-request-timestamp': await sandboxNow(world) };
};

/** Sends every example in document order, with the ids of new resources in place of the documented ids. */
const sendAll = async (): Promise<string[]> => {
  const shared = world.tpp();
  // The registration of a TPP that all users share cannot be changed.
  const registered = await world.newTpp(['PSP_AI', 'PSP_PI']);
  const shown = await shownIds();
  const ids: Ids = { 'your-present-secret': registered.credentials.clientSecret ?? '' };
  const first = ['/v1/payments/', '/v1/consents', '/sandbox/tpps', '/sandbox/psus'];
  const place = (path: string): number => {
    const found = first.findIndex((start) => path.startsWith(start));
    return found === -1 ? first.length : found;
  };
  // The clock moves last, because moving it expires tokens.
  const order = ({ path, method }: Documented): number =>
    path === '/sandbox/clock' ? 100 : place(path) + (method === 'POST' ? 0 : 10);
  const documented = (await listExamples()).toSorted((one, other) => order(one) - order(other));
  const outcomes: string[] = [];
  for (const { method, path, operation, product = '', example } of documented) {
    const target = withIds(
      path
        .replace('{payment-product}', product || domesticProduct)
        .replace('{clientId}', shown['tpp'] ?? '')
        .replace('{iban}', shown['iban'] ?? ''),
      ids,
    );
    const headers = await headersFor(path);
    const tpp = path.startsWith('/sandbox/tpp/') ? registered : shared;
    const answer = await tpp.call(method, target, await tokenFor(tpp, path), {
      json: JSON.parse(withIds(JSON.stringify(example.value), ids)) as unknown,
      headers,
    });
    if (answer.status < 300) {
      const made = parseJson<Record<string, unknown>>(answer);
      if (path.startsWith('/v1/payments/') && product === domesticProduct)
        ids[shown['payment'] ?? ''] = String(made['paymentId']);
      if (path === '/v1/consents') ids[shown['consent'] ?? ''] = String(made['consentId']);
      if (path === '/sandbox/tpps') ids[shown['tpp'] ?? ''] = String(made['clientId']);
      if (path === '/sandbox/psus') {
        ids[shown['psu'] ?? ''] = String(made['psuId']);
        ids[shown['iban'] ?? ''] = (made['accounts'] as { iban: string }[])[0]?.iban ?? '';
      }
    }
    const status = Number(/\b(4\d\d)\b/.exec(example.description ?? '')?.[1] ?? 0);
    const expected = status || Number(Object.keys(operation.responses).find((one) => one.startsWith('2')));
    if (answer.status !== expected)
      outcomes.push(`${method} ${target} ${product}: ${answer.status} ${answer.text}`);
    else if (status !== 0) expect(example.description).toContain(listCodes(answer)[0]);
  }
  expect(documented.length).toBeGreaterThan(15);
  return outcomes;
};

describe('the examples of /openapi.json and of the reference (contract 1)', () => {
  it.each([
    ['today', undefined],
    ['90 days later', 'P90D'],
  ])(
    'each get the documented response: %s',
    async (_when, advance) => {
      if (advance !== undefined) await world.advance(advance);
      expect(await sendAll()).toEqual([]);
    },
    120_000,
  );

  it('are shown with current dates, even a year later', async () => {
    const year = Number((await sandboxNow(world)).slice(0, 4));
    await world.advance('P1Y');
    const { text } = await send('GET', `${world.baseUrl}/reference/createConsent`);
    expect(text).toMatch(new RegExp(`validUntil&quot;: &quot;(?:${year + 1}|${year + 2})-`));
    expect((await send('GET', `${world.baseUrl}/openapi.json`)).text).not.toMatch(
      new RegExp(`"validUntil":"(?:${year}|${year - 1})-`),
    );
  });
});
