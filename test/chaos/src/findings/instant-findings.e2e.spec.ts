// Lane: long (what fault runs found once).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntilRest } from '@xs2a/invariants/due-left';
import { randomUUID } from 'node:crypto';
import { type Asked, ClientLog, type PaymentRecord } from '../load/client-log.js';
import { instantForms } from '../load/payment-forms.js';
import { ChaosWorld, type Psu } from '../world.js';
import { clientFindings } from './client-findings.js';

/** Payees whose banks settle at once or report a closed account (E8.2). */
const [atOnce, closed] = ['DE89370400440532013000', 'BG73XSBV92001000000203'];
const path = instantForms.singlePath;

let world: ChaosWorld;
let psu: Psu;
let iban: string;
let settled: PaymentRecord;
let unsigned: PaymentRecord;
let bulk: PaymentRecord;
beforeAll(async () => {
  world = await ChaosWorld.start({ profile: 'bg-euro' });
  psu = await world.psu('100.00');
  iban = psu.accounts[0]?.iban ?? '';
  settled = await initiate(path, 250, instantForms.transfer(iban, atOnce, 250));
  unsigned = await initiate(path, 100, instantForms.transfer(iban, atOnce, 100));
  const entries = [atOnce, closed].map((payee) => {
    const { debtorAccount: _ofTheBulk, ...entry } = instantForms.transfer(iban, payee, 300);
    return entry;
  });
  const json = { debtorAccount: { iban }, payments: entries };
  bulk = await initiate(instantForms.bulkPath, 600, json);
  for (const payment of [settled, bulk]) {
    await world.tpp.sign(payment);
    await world.tpp.until('the end', async () =>
      ['ACSC', 'PART'].includes(await world.tpp.status(payment)) ? true : undefined,
    );
  }
  expect((await waitUntilRest(world, 20)).left).toEqual([]);
}, 120_000);
afterAll(async () => world?.stop(), 30_000);

const initiate = async (
  at: string,
  amount: number,
  json: Readonly<Record<string, unknown>>,
): Promise<PaymentRecord> => {
  const key = randomUUID();
  const about = { key, path: at, debtorIban: iban, creditorIban: atOnce, amount, psuId: psu.psuId };
  return { ...about, seen: [], ...(await world.tpp.post(at, key, json)) };
};

describe('client findings about instant payments (quality, invariant 3; E3.5)', () => {
  const certain: Asked = { from: 0, to: 0 };
  const foundBy = async (...instants: readonly PaymentRecord[]): Promise<readonly string[]> => {
    const log = new ClientLog();
    log.instants.push(...instants);
    const { tpp, schemas, masterKeys } = world;
    const { violations } = await clientFindings({ tpp, schemas, log, masterKeys }, [iban]);
    return violations;
  };

  it('are empty if the service’s data matches all acknowledgements, also if a bulk payment is partly paid', async () => {
    expect(await foundBy(settled, unsigned, bulk)).toEqual([]);
  });

  it.each<[string, () => PaymentRecord, RegExp]>([
    ['is lost', () => ({ ...unsigned, paymentId: randomUUID() }), /^payment \S+ is lost: 40[34]$/],
    ['has another amount', () => ({ ...unsigned, amount: 7 }), /^payment \S+ is another one: not of 0.07$/],
    [
      'was signed without effect',
      () => ({ ...unsigned, signed: certain }),
      /was signed but is (?:RCVD|ACCP)$/,
    ],
    [
      'was paid after its cancellation',
      () => ({ ...settled, cancelled: certain }),
      /was cancelled but is ACSC$/,
    ],
    [
      'was paid without a signature',
      () => {
        const { signed: _removed, ...record } = settled;
        return record;
      },
      /was not signed but is ACSC$/,
    ],
    [
      'was paid after its rejection',
      () => ({ ...settled, seen: [{ status: 'RJCT', asked: certain }] }),
      /went from RJCT to ACSC$/,
    ],
  ])('contain a payment that %s', async (_what, changed, sentence) => {
    const others = [settled, unsigned, bulk].filter(({ key }) => key !== changed().key);
    expect(await foundBy(changed(), ...others)).toContainEqual(expect.stringMatching(sentence));
  });

  it('contain money that left the account without a settled payment, and a payment that no client knows', async () => {
    const found = await foundBy(unsigned, bulk);
    expect(found).toContain(`account …${iban.slice(-4)}: 550 left it, but its payments say otherwise`);
    expect(found).toContain(`payment ${settled.paymentId} was created twice: no client knows it`);
  });
});
