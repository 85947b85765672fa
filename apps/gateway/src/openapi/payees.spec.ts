import { describe, expect, it } from '@jest/globals';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { openApiDocument } from './document.js';

const settings = { baseUrl: 'http://127.0.0.1:8080', pagesUrl: 'http://127.0.0.1:8080', sandbox: true };
const path = '/sandbox/vop/v1/payee-verifications';
const documentOf = (profile: 'sandbox' | 'bg-euro', change: object = {}, sandbox = true) =>
  openApiDocument({ ...settings, sandbox, profile: makeProfile(profile, change) });
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
}
const document = documentOf('bg-euro');

describe('the OpenAPI document of a profile that verifies payees (contract 15)', () => {
  it('describes the question of another bank only in a sandbox of such a profile', () => {
    expect(document.paths[path]?.['post']).toBeDefined();
    for (const other of [
      documentOf('sandbox'),
      documentOf('bg-euro', { payeeVerification: 'off' }),
      documentOf('bg-euro', {}, false),
    ])
      expect(other.paths[path]).toBeUndefined();
    for (const word of ['PayeeQuestion', 'X-Response-Timestamp', 'payee-match', 'payeeVerification'])
      expect(JSON.stringify(documentOf('sandbox'))).not.toContain(word);
  });

  it('requires the headers of the question', () => {
    const described = document.paths[path]?.['post'] as unknown as Operation | undefined;
    expect(described?.parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual([
      'X-Request-ID',
      'X-Request-Timestamp',
    ]);
  });

  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
  const validate = (schema: string, value: unknown): boolean =>
    ajv.validate({ $ref: `document#/components/schemas/${schema}` }, value);
  const question = (party: object) => ({
    party,
    partyAccount: { iban: 'BG25XSBK92001000000001' },
    partyAgent: { financialInstitutionId: { bicfi: 'XSBKBGSF' } },
    requestingAgent: { financialInstitutionId: { bicfi: 'DEUTDEFF' } },
  });
  const organisation = (organisationId: object) => ({ identification: { organisationId } });

  it.each<[boolean, object]>([
    [true, { name: 'Ivan' }],
    [true, organisation({ lei: '529900T8BM49AURSDO55' })],
    [true, organisation({ others: [{ identification: '999999995' }] })],
    [false, {}],
    [false, { name: 'Ivan', ...organisation({ lei: '529900T8BM49AURSDO55' }) }],
    [false, organisation({})],
    [false, organisation({ others: [] })],
    [false, { name: 'Ivan', more: 'x' }],
  ])('says that it is %s that a party may be %j', (isValid, party) => {
    expect(validate('PayeeQuestion', question(party))).toBe(isValid);
  });

  it('names the outcomes that can be simulated for payees and for instant payments', () => {
    for (const outcome of [
      'none',
      'instant-offline',
      'instant-timeout',
      'instant-closed',
      'instant-rejected',
      'instant-slow',
      'instant-limit',
      'payee-match',
      'payee-close',
      'payee-no-match',
      'payee-not-possible',
      'payee-slow',
    ])
      expect([outcome, validate('Simulation', { psuId: 'ivan', outcome })]).toEqual([outcome, true]);
    expect(validate('Simulation', { psuId: 'ivan', outcome: 'payee' })).toBe(false);
  });
});
