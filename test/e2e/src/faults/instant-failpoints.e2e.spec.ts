// Lane: nightly (instant payments have ten seconds, and their processes are killed).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findMissingNotifications } from '@xs2a/chaos/findings/missing-notifications';
import { readModels } from '@xs2a/chaos/findings/read-models';
import type { PaymentRecord } from '@xs2a/chaos/load/client-log';
import { ChaosWorld, type Psu } from '@xs2a/chaos/world';
import { euroExampleBodies } from '@xs2a/domain/payment/standards/euro-example-bodies';
import { waitUntilRest } from '@xs2a/invariants/due-left';
import { checkInvariants } from '@xs2a/invariants/invariants';
import type { ServiceName } from '@xs2a/sandbox/services/service-table';
import { randomUUID } from 'node:crypto';

const product = 'instant-SEPA-credit-transfer';
const path = `/v1/payments/${product}`;
/** Payees whose banks settle at once, settle after eight seconds, or report a closed account (E8.2). */
const [atOnce, slow, closed] = ['DE89370400440532013000', 'BG46XSBV92001000000204', 'BG73XSBV92001000000203'];

let world: ChaosWorld;
let psu: Psu;
const ends = new Map<string, number>();
beforeAll(async () => {
  world = await ChaosWorld.start({
    profile: 'bg-euro',
    onProgress: (line) => {
      const [, name] = /^(\S+) has ended/.exec(line) ?? [];
      if (name !== undefined) ends.set(name, (ends.get(name) ?? 0) + 1);
    },
  });
  psu = await world.psu('1000.00');
}, 60_000);
afterAll(async () => world?.stop());

/** Signs a payment of 1.00 at the bank's pages, where its payee is verified. */
const signed = async (creditorIban: string): Promise<PaymentRecord> => {
  const debtorIban = psu.accounts[0]?.iban ?? '';
  const key = randomUUID();
  const json = {
    ...euroExampleBodies[product],
    debtorAccount: { iban: debtorIban },
    creditorAccount: { iban: creditorIban },
    creditorAgent: undefined,
    instructedAmount: { currency: 'EUR', amount: '1.00' },
  };
  const created = await world.tpp.post(path, key, json);
  const about = { key, path, debtorIban, creditorIban, amount: 100, psuId: psu.psuId, seen: [] };
  const payment: PaymentRecord = { ...about, ...created };
  await world.tpp.signAtPages(payment, psu);
  return payment;
};
const ended = async (payment: PaymentRecord): Promise<string> =>
  world.tpp.until('the end', async () => {
    const status = await world.tpp.status(payment);
    return ['ACSC', 'RJCT'].includes(status) ? status : undefined;
  });

/** Arms a failpoint. The returned function waits until the service has crashed there and is not armed any more. */
const arm = (name: string, service: ServiceName): (() => Promise<void>) => {
  const before = ends.get(service) ?? 0;
  world.orders.order(name);
  return async () => {
    await world.tpp.until(`the end at ${name}`, async () =>
      (ends.get(service) ?? 0) > before ? true : undefined,
    );
    expect(world.orders.isOpen).toBe(false);
  };
};

const read = async (schema: 'accounts' | 'payments' | 'settlement', text: string, paymentId: string) => {
  const { rows } = await world.schemas.of(schema).query<{ value: string }>(text, [paymentId]);
  return rows.map(({ value }) => value);
};
const transfers = async ({ paymentId }: PaymentRecord): Promise<string[]> =>
  read('accounts', 'SELECT kind AS value FROM transfer WHERE payment_id = $1 ORDER BY kind', paymentId);
const events = async ({ paymentId }: PaymentRecord): Promise<string[]> =>
  read('payments', 'SELECT type AS value FROM events WHERE stream_id = $1 ORDER BY version', paymentId);
/** Waits until the ledger has the given transfers of the payment. */
const untilTransferred = async (payment: PaymentRecord, ...kinds: readonly string[]): Promise<void> => {
  await world.tpp.until('the transfers', async () =>
    String(await transfers(payment)) === String(kinds) ? true : undefined,
  );
};
const atRest = async (): Promise<void> => {
  expect((await waitUntilRest(world, 20)).left).toEqual([]);
};

describe('a process that crashes in an instant payment (E3.5)', () => {
  it.each<[string, ServiceName]>([
    ['instant.after-hold', 'settlement-worker'],
    ['payments.instant-held', 'payments'],
    ['instant.before-send', 'settlement-worker'],
  ])(
    'leaves it either booked or without a hold, if the order was not sent yet: %s',
    async (name, service) => {
      const crashed = arm(name, service);
      const payment = await signed(atOnce);
      await crashed();
      if ((await ended(payment)) === 'ACSC') await untilTransferred(payment, 'hold', 'post');
      else await untilTransferred(payment, 'hold', 'void');
      await atRest();
    },
    60_000,
  );

  it.each<[string, ServiceName]>([
    ['instant.after-send', 'settlement-worker'],
    ['payments.instant-answered', 'payments'],
    ['instant.before-post', 'settlement-worker'],
    ['instant.after-post', 'settlement-worker'],
    ['payments.instant-posted', 'payments'],
  ])(
    'lets it end as the payee’s bank answered, once the order was sent: %s',
    async (name, service) => {
      const crashed = arm(name, service);
      const payment = await signed(atOnce);
      await crashed();
      expect(await ended(payment)).toBe('ACSC');
      await untilTransferred(payment, 'hold', 'post');
      await atRest();
    },
    60_000,
  );

  it('rejects it once, if it crashes after the rejection', async () => {
    const crashed = arm('payments.instant-released', 'payments');
    const payment = await signed(closed);
    await crashed();
    expect(await ended(payment)).toBe('RJCT');
    await untilTransferred(payment, 'hold', 'void');
    await atRest();
  }, 60_000);

  it.each(['instant.follow-up-voided', 'instant.follow-up-recorded'])(
    'records a confirmation after the rejection once, and charges nobody: %s',
    async (name) => {
      const payment = await signed(slow);
      const { paymentId } = payment;
      await world.tpp.until('the order', async () => {
        const sent = 'SELECT reason_code AS value FROM instant_order WHERE payment_id = $1';
        return (await read('accounts', sent, paymentId)).length === 1 ? true : undefined;
      });
      // The bank has the order and says nothing until its deadline has passed.
      const { pid } = world.sandbox.services.accounts;
      process.kill(pid, 'SIGSTOP');
      try {
        expect(await ended(payment)).toBe('RJCT');
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await arm(name, 'settlement-worker')();
      await world.tpp.until('the follow-up', async () => {
        const confirmed =
          'SELECT confirmed_at AS value FROM instant_follow_up WHERE payment_id = $1 AND confirmed_at IS NOT NULL';
        return (await read('settlement', confirmed, paymentId)).length === 1 ? true : undefined;
      });
      expect((await events(payment)).slice(-2)).toEqual(['instant-rejected', 'instant-answered-late']);
      expect(await transfers(payment)).toEqual(['hold', 'void']);
      expect(await ended(payment)).toBe('RJCT');
      await atRest();
    },
    90_000,
  );

  it('leaves every invariant intact, and the TPP is notified of every status', async () => {
    const { schemas, nats } = world;
    const sources = { schemas, nats: async () => nats, readModels, verifiesPayees: true };
    const found = await checkInvariants(sources);
    expect(found.map(({ number, violations }) => [number, violations])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, []]),
    );
    expect(await findMissingNotifications(schemas, world.receiver)).toEqual([]);
  }, 60_000);
});
