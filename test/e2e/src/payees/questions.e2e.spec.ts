import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, parseJson } from '@xs2a/tpp-client/http';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import { listCodes, listPaths, sandboxNow } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { randomUUID } from 'node:crypto';

const path = '/sandbox/vop/v1/payee-verifications';
const agent = (bicfi: string) => ({ financialInstitutionId: { bicfi } });
const question = (party: object = { name: 'Ivan Petrof' }, iban = 'BG25XSBK92001000000001') => ({
  party,
  partyAccount: { iban },
  partyAgent: agent('XSBKBGSF'),
  requestingAgent: agent('DEUTDEFF'),
});

let world: World;
let tpp: TppClient;
let token: string;
beforeAll(async () => {
  world = await World.inEuro();
  tpp = world.tpp();
  token = await tpp.applicationToken();
}, 120_000);
afterAll(async () => world.stop());

const ask = async (
  json: unknown,
  headers: Readonly<Record<string, string>> = {},
  without: readonly string[] = [],
): Promise<Answer> => {
  const sent: Record<string, string> = {
    'X-Request-ID': randomUUID(),
    'X-Request-Timestamp': await sandboxNow(world),
    ...headers,
  };
  for (const name of without) delete sent[name];
  return tpp.call('POST', path, token, { json, headers: sent });
};

describe('POST /sandbox/vop/v1/payee-verifications (contract E4.8)', () => {
  it('answers in the form of the scheme, with the time of the answer', async () => {
    const answer = await ask(question());
    expect([answer.status, parseJson(answer)]).toEqual([
      200,
      { partyNameMatch: 'CMTC', matchedName: 'Ivan Petrov' },
    ]);
    expect(Date.parse(answer.headers.get('x-response-timestamp') ?? '')).not.toBeNaN();
    expect(parseJson(await ask(question({ name: 'Иван Петров' })))).toEqual({ partyNameMatch: 'MTCH' });
    const joint = 'BG12XSBK92001000000041';
    expect(parseJson(await ask(question({ name: 'Ivan Petrov / Maria Georgeva' }, joint)))).toEqual({
      partyNameMatch: 'CMTC',
      matchedName: 'Maria Georgieva',
    });
    const acme = 'BG67XSBK92001000000021';
    const eik = { identification: { organisationId: { others: [{ identification: '999999995' }] } } };
    expect(parseJson(await ask(question(eik, acme)))).toEqual({ partyIdMatch: 'MTCH' });
    expect(parseJson(await ask(question({ name: 'Akme Trade' }, acme)))).toEqual({ partyNameMatch: 'MTCH' });
  });

  it('cannot answer about an account of another bank', async () => {
    const answer = await ask(question({ name: 'Max Mustermann' }, 'DE89370400440532013000'));
    expect(parseJson(answer)).toEqual({ partyNameMatch: 'NOAP' });
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, string, string]>([
    ['no id', ['X-Request-ID'], {}, 'FORMAT_ERROR', 'X-Request-ID'],
    ['an id that is no UUID', [], { 'X-Request-ID': 'x' }, 'FORMAT_ERROR', 'X-Request-ID'],
    ['no time', ['X-Request-Timestamp'], {}, 'FORMAT_ERROR', 'X-Request-Timestamp'],
    [
      'an old time',
      [],
      { 'X-Request-Timestamp': '2026-01-01T00:00:00Z' },
      'TIMESTAMP_INVALID',
      'X-Request-Timestamp',
    ],
    ['a malformed time', [], { 'X-Request-Timestamp': 'now' }, 'TIMESTAMP_INVALID', 'X-Request-Timestamp'],
  ])('refuses %s (contract E4.8a)', async (_what, without, headers, code, at) => {
    const answer = await ask(question(), headers, without);
    expect([answer.status, listCodes(answer), listPaths(answer)]).toEqual([400, [code], [at]]);
  });

  it.each<[unknown, readonly string[]]>([
    [{ ...question(), party: {} }, ['party']],
    [
      question({ name: 'Иван', identification: { organisationId: { lei: '529900T8BM49AURSDO55' } } }),
      ['party'],
    ],
    [question({ name: 'Иван' }, 'BG26XSBK92001000000001'), ['partyAccount.iban']],
    [{ ...question(), requestingAgent: agent('x') }, ['requestingAgent.financialInstitutionId.bicfi']],
    [{ ...question(), partyAgent: agent('DEUTDEFF') }, ['partyAgent']],
  ])('refuses %j (contract E4.8a)', async (body, paths) => {
    const answer = await ask(body);
    expect([answer.status, [...new Set(listCodes(answer))], listPaths(answer)]).toEqual([
      400,
      ['FORMAT_ERROR'],
      paths,
    ]);
  });

  it('takes a token of any kind of application, and none from anybody else', async () => {
    const answer = await tpp.call('POST', path, undefined, { json: question() });
    expect([answer.status, listCodes(answer)]).toEqual([401, ['TOKEN_UNKNOWN']]);
    const get = await tpp.call('GET', path, token);
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  it('lets a bank ask 600 times a minute, and says when it may go on (contract E4.9)', async () => {
    const asked = { ...question({ name: 'Georgi Petrov' }), requestingAgent: agent('BNPAFRPP') };
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 30 }, async () => ask(asked)));
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    }
    const answer = await ask(asked);
    expect([answer.status, listCodes(answer)]).toEqual([429, ['ACCESS_EXCEEDED']]);
    expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect((await ask(question({ name: 'Georgi Petrov' }))).status).toBe(200);
  }, 60_000);
});
