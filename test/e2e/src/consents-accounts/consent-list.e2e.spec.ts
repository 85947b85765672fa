import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { listCodes, consentBody, dayFrom, listPaths, sandboxNow } from '@xs2a/test-support/requests';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { World } from '@xs2a/test-support/world';

interface Listed {
  readonly consents: readonly { readonly consentId: string; readonly consentStatus: string }[];
  readonly _links: Readonly<Partial<Record<'first' | 'next', { readonly href: string }>>>;
}

let world: World;
let tpp: TppClient;
let token: string;
let psu: FreshPsu;
beforeAll(async () => {
  world = await World.ofLane();
  tpp = await world.newTpp(['PSP_AI', 'PSP_PI']);
  token = await tpp.applicationToken('PSP_AI');
  psu = await world.person();
});
afterAll(() => world.stop());

const created = async (): Promise<string> => {
  const answer = await tpp.call('POST', '/v1/consents', token, {
    json: consentBody([psu.accounts[0]?.iban ?? ''], dayFrom(await sandboxNow(world), 30)),
    headers: { 'psu-id': psu.psuId },
  });
  return parseJson<{ consentId: string }>(answer).consentId;
};
const list = async (path: string): Promise<Listed> => parseJson(await tpp.call('GET', path, token));
const listIds = ({ consents }: Listed): string[] => consents.map(({ consentId }) => consentId);

describe('GET /consents, an extension of the standard (contract 5)', () => {
  it('lists the consents of the caller once each, newest first, even while new consents arrive and others end', async () => {
    const ids = [
      await created(),
      await created(),
      await created(),
      await created(),
      await created(),
    ].reverse();
    const pages = [await list('/v1/consents?pageSize=2')];
    await created();
    await tpp.call('DELETE', `/v1/consents/${ids[3]}`, token);
    for (let next = pages.at(-1)?._links.next; next !== undefined; next = pages.at(-1)?._links.next) {
      pages.push(await list(next.href));
    }
    expect(pages.map(listIds)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(pages[1]?.consents.map(({ consentStatus }) => consentStatus)).toEqual(['received', 'rejected']);
    expect(pages[0]?._links.first).toBeUndefined();
    expect(pages[2]?._links.first?.href).toBe('/v1/consents?pageSize=2');
    expect(listIds(await list('/consent'))).toHaveLength(6);
  });

  it('does not list the consents of other TPPs', async () => {
    const other = await world.newTpp(['PSP_AI']);
    const answer = await other.call('GET', '/v1/consents', await other.applicationToken('PSP_AI'));
    expect(parseJson(answer)).toEqual({ consents: [], _links: {} });
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['pageSize=501', 'pageSize'],
    ['pageSize=5&pageSize=6', 'pageSize'],
    ['cursor=x', 'cursor'],
    ['cursor=', 'cursor'],
  ])('rejects ?%s with 400 FORMAT_ERROR', async (query, path) => {
    const answer = await tpp.call('GET', `/v1/consents?${query}`, token);
    expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([400, ['FORMAT_ERROR'], [path]]);
  });

  it('requires the account information role', async () => {
    const answer = await tpp.call('GET', '/v1/consents', await tpp.applicationToken('PSP_PI'));
    expect([answer.status, listCodes(answer)]).toEqual([401, ['TOKEN_INVALID']]);
  });
});
