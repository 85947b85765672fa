import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parseJson } from '@xs2a/tpp-client/http';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { TppClient } from '@xs2a/tpp-client/tpp-client';
import {
  awayFromMidnight,
  bulkPath,
  bulkPayment,
  listCodes,
  dayFrom,
  periodicPath,
  periodicPayment,
  sandboxNow,
  readStatus,
} from '@xs2a/test-support/requests';
import {
  type ForSeveral,
  initiateForSeveral,
  readScaStatus,
  startFor,
} from '@xs2a/test-support/several-signers';
import type { FreshPsu } from '@xs2a/test-support/sandbox-tpp';
import { type FreshCorporate, World } from '@xs2a/test-support/world';

let world: World;
let tpp: TppClient;
let token: string;
let today: string;
let corporate: FreshCorporate;
let first: FreshPsu;
let second: FreshPsu;

beforeAll(async () => {
  world = await World.ofLane();
  tpp = world.tpp();
});
beforeEach(async () => {
  await awayFromMidnight(world);
  token = await tpp.applicationToken();
  today = dayFrom(await sandboxNow(world), 0);
  corporate = await world.corporate(2, 2);
  const [one, two] = corporate.signers;
  if (one === undefined || two === undefined) throw new Error('two signers');
  [first, second] = [one, two];
});
afterAll(async () => world.stop());

const status = async ({ path }: { readonly path: string }): Promise<unknown> =>
  (await readStatus(tpp, token, path))['transactionStatus'];
const sign = async (payment: ForSeveral, psu: FreshPsu): Promise<void> => {
  const { scaRedirect } = await startFor(tpp, token, payment, psu);
  await walkAndApprove(world.browser(), scaRedirect, psu);
};

describe.each([
  ['a periodic order', (iban: string) => ({ at: periodicPath, json: periodicPayment(iban, today) })],
  ['a bulk', (iban: string) => ({ at: bulkPath, json: bulkPayment(iban, ['1.00', '2.00']) })],
])('%s with two signers (contract 9, 10)', (_what, submitted) => {
  const initiate = async (): Promise<ForSeveral> =>
    initiateForSeveral(tpp, token, corporate.iban, {}, submitted(corporate.iban));

  it('goes from RCVD to PATC with the first signature and to ACCP with the last, and is then executed', async () => {
    const payment = await initiate();
    expect(payment.startPath).toBe(`${payment.path}/authorisations`);
    expect(await status(payment)).toBe('RCVD');
    await sign(payment, first);
    expect(await status(payment)).toBe('PATC');
    await world.advance('PT1M');
    expect(await status(payment)).toBe('PATC');
    await sign(payment, second);
    expect(await status(payment)).toBe('ACCP');
    await world.advance('PT1M');
    expect(['ACSP', 'ACSC']).toContain(await status(payment));
  });

  it('cannot be signed twice by the same signer', async () => {
    const payment = await initiate();
    await sign(payment, first);
    const again = await tpp.call('POST', payment.startPath, token, { headers: { 'psu-id': first.psuId } });
    expect([again.status, listCodes(again)]).toEqual([409, ['STATUS_INVALID']]);
  });

  it('is rejected if one signer refuses, even after the first signature', async () => {
    const payment = await initiate();
    await sign(payment, first);
    const refusing = await startFor(tpp, token, payment, second);
    await walkAndDecline(world.browser(), refusing.scaRedirect, second, 'refuse');
    expect([await status(payment), await readScaStatus(tpp, token, refusing)]).toEqual(['RJCT', 'failed']);
  });

  it('is rejected if a signature is missing after 15 minutes', async () => {
    const payment = await initiate();
    await sign(payment, first);
    await world.advance('PT15M1S');
    token = await tpp.applicationToken();
    expect(await status(payment)).toBe('RJCT');
  });

  it('can be cancelled in PATC', async () => {
    const payment = await initiate();
    await sign(payment, first);
    expect((await tpp.call('DELETE', payment.path, token)).status).toBe(204);
    expect(await status(payment)).toBe('CANC');
    expect(parseJson(await tpp.call('GET', `${payment.path}/cancellation-authorisations`, token))).toEqual({
      authorisationIds: [],
    });
  });
});
