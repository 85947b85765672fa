// Lane: long (the operator command, with a bank of its own).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awayFromMidnight, domesticPayment, initiate, until } from '@xs2a/test-support/requests';
import { World } from '@xs2a/test-support/world';
import { walkAndApprove, walkAndDecline } from '@xs2a/tpp-client/psu-walk';
import type { EventList } from '../events/list.js';
import type { Volume, VolumeTotal } from './volume.js';
import { makeOperator } from '../testing/command-process.js';

/** The event that leads to each counted outcome. */
const typeByProduct = {
  initiated: 'initiated',
  signed: 'signed',
  settled: 'settled',
  unfunded: 'funds-refused',
  rejected: 'rejected',
  cancelled: 'cancelled',
};

let world: World;
let operator: ReturnType<typeof makeOperator>;
/** TPPs that no other test in the run uses: one for the payer, and one for payments that are refused or cancelled. */
let paying: string;
let failing: string;
let before: Volume;

const list = async (...args: readonly string[]): Promise<EventList> =>
  operator.oneJson<EventList>('events', 'list', ...args);
const volume = async (...args: readonly string[]): Promise<Volume> =>
  operator.oneJson<Volume>('payments', 'volume', ...args);
const findTotal = ({ totals }: Volume, outcome: string): Pick<VolumeTotal, 'payments' | 'amount'> =>
  totals.find((one) => one.currency === 'BGN' && one.outcome === outcome) ?? { payments: 0, amount: '0.00' };

beforeAll(async () => {
  // A separate bank, because the statistics count all payments of a bank.
  world = await World.start();
  operator = makeOperator(world.dataDir);
  await awayFromMidnight(world);
  before = await until(volume, ({ behind }) => behind === 0);
  const [one, two] = [await world.newTpp(['PSP_PI']), await world.newTpp(['PSP_PI'])];
  [paying, failing] = [one.credentials.clientId, two.credentials.clientId];
  const psu = await world.person('20.00');
  const body = domesticPayment(psu.accounts[0]?.iban ?? '');
  const begin = async (tpp: typeof one) => initiate(tpp, await tpp.applicationToken('PSP_PI'), body);
  for (const { scaRedirect } of [await begin(one), await begin(one)]) {
    await walkAndApprove(world.browser(), scaRedirect, psu);
  }
  await walkAndDecline(world.browser(), (await begin(two)).scaRedirect, psu, 'refuse');
  await two.call('DELETE', (await begin(two)).path, await two.applicationToken('PSP_PI'));
  // The funds cover only the first of the two.
  await world.advance('PT2M');
  await until(
    async () => list('--tpp', paying, '--type', 'settled', 'funds-refused'),
    ({ events }) => events.length === 2,
  );
  await until(volume, ({ behind }) => behind === 0);
}, 120_000);
afterAll(async () => world?.stop());

describe('xs2a events list (docs/how-to/operate.md)', () => {
  it('lists events filtered by TPP and type, newest last', async () => {
    const { events, stoppedAt } = await list('--tpp', paying, '--type', 'initiated', 'signed', 'settled');
    expect(events.map(({ type }) => type)).toEqual(['initiated', 'initiated', 'signed', 'signed', 'settled']);
    expect(new Set(events.map(({ tppId }) => tppId))).toEqual(new Set([paying]));
    expect(events.map(({ pos }) => pos)).toEqual(events.map(({ pos }) => pos).sort((a, b) => a - b));
    expect(stoppedAt).toBeNull();
    const types = (await list('--tpp', failing)).events.map(({ type }) => type);
    expect(types.filter((type) => type !== 'accepted')).toEqual([
      'initiated',
      'rejected',
      'initiated',
      'cancelled',
    ]);
    const newest = await list('--tpp', paying, '--type', 'signed', '--type', 'initiated', '--limit', '2');
    expect(newest.events.map(({ type }) => type)).toEqual(['signed', 'signed']);
  });

  it('lists the events of a period given as an instant, a bank day, or a duration before the current bank time', async () => {
    const all = (await list('--tpp', paying)).events;
    const settled = all.find(({ type }) => type === 'settled');
    const { pos, time } = settled ?? { pos: 0, time: '' };
    const positions = async (...period: readonly string[]): Promise<number[]> =>
      (await list('--tpp', paying, ...period)).events.map((event) => event.pos);
    expect(await positions('--since', time)).toContain(pos);
    expect(await positions('--until', time)).not.toContain(pos);
    expect(await positions('--since', before.to, '--until', before.to)).toEqual(
      all.map((event) => event.pos),
    );
    expect(await positions('--since', '1h')).toEqual(all.map((event) => event.pos));
    expect(await positions('--until', '1h')).toEqual([]);
  });

  it('prints a human-readable table, or a sentence if nothing matches', async () => {
    const { stdout } = await operator.xs2a('events', 'list', '--tpp', paying, '--type', 'settled');
    expect(stdout).toMatch(
      new RegExp(`^position +time +event +payment +tpp\n +\\d+ +\\S+Z +settled +\\S+ +${paying}\n$`),
    );
    expect(await operator.xs2a('events', 'list', '--tpp', 'nobody')).toEqual({
      code: 0,
      stdout: 'No event of a payment matches. To list the TPPs: npm run xs2a -- tpp list\n',
      stderr: '',
    });
  });
});

describe('xs2a payments volume (docs/how-to/operate.md)', () => {
  it('shows the number and value of payments by day, product, currency and outcome', async () => {
    const now = await volume('--from', before.from, '--to', before.to);
    const more = (outcome: string) => {
      const [was, is] = [findTotal(before, outcome), findTotal(now, outcome)];
      const value = Math.round((Number(is.amount) - Number(was.amount)) * 100) / 100;
      return [is.payments - was.payments, value];
    };
    expect(more('initiated')).toEqual([4, 50]);
    expect(more('signed')).toEqual([2, 25]);
    expect(now.lines).toContainEqual(
      expect.objectContaining({
        day: before.to,
        product: 'domestic-credit-transfer-BGN',
        currency: 'BGN',
        outcome: 'settled',
        amount: expect.stringMatching(/^\d+\.\d\d$/),
      }),
    );
  });

  it.each(Object.entries(typeByProduct))(
    'counts as %s each event of type %s on that day in the bank’s time zone',
    async (outcome, type) => {
      const ofDay = await volume('--from', before.to, '--to', before.to);
      const { events } = await list(
        '--type',
        type,
        '--since',
        before.to,
        '--until',
        before.to,
        '--limit',
        '10000',
      );
      expect(events.length).toBeGreaterThan(0);
      expect(ofDay.totals.reduce((sum, one) => sum + (one.outcome === outcome ? one.payments : 0), 0)).toBe(
        events.length,
      );
    },
  );

  it('accepts any spelling of a product name, and prints a sentence for a period without payments', async () => {
    const { product, lines } = await volume('--product', 'sepa-credit-transfers');
    expect(product).toBe('SEPA-Credit-Transfer');
    expect(lines.filter((line) => line.product !== product)).toEqual([]);
    const text = (await operator.xs2a('payments', 'volume', '--product', 'domestic-credit-transfer-BGN'))
      .stdout;
    expect(text).toMatch(/^day +product +currency +outcome +payments +amount\n/);
    expect(text).toMatch(/\n\ntotal, domestic-credit-transfer-BGN, \S+ to \S+\ncurrency +outcome /);
    expect(
      (await operator.xs2a('payments', 'volume', '--from', '2000-01-01', '--to', '2000-01-02')).stdout,
    ).toBe('No payments: 2000-01-01 to 2000-01-02.\n');
  });
});
