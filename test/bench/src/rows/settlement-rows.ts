import { type FigureRow, formatRate, inWorld } from '../row.js';
import { customers } from '../world/customers.js';
import { settleRound } from '../world/settlement-round.js';

const settle =
  (accounts: number, creditor?: string): Parameters<typeof inWorld>[0] =>
  async (world, { payments = 10_000, say }) => {
    const payers = customers.slice(0, accounts);
    say(`  twice ${payments} payments are signed and settled over ${payers.length} accounts`);
    // A first round of the same size is not counted, so that the service is warm when it is measured.
    const first = await settleRound(world, payers, payments, creditor);
    const { perSecond, seconds, cpu, problem } = await settleRound(world, payers, payments, creditor);
    const note = `${payments} ACSC in ${seconds.toFixed(2)} s; as many before them at ${formatRate(first.perSecond)}/s`;
    return { value: perSecond, perSecond, cpu, cpuOf: 'a payment', notes: [note], problem };
  };

/** An account at this bank that receives all payments, as the tax office does on the last day of a term. */
const taxAccount = customers.at(-1)?.iban;

/** Hops of 0.12 CPU ms; a settlement takes at least 0.5 CPU ms. */
const floor = 4.2;

export const settlementRows: readonly FigureRow[] = [
  {
    name: 'settlement-1000',
    title: 'settlement, 10,000 payments over 1,000 accounts, half of the payees here',
    targets: { sandbox: { atLeast: 2500, unit: '/s' }, production: { atLeast: 1500, unit: '/s' } },
    floor,
    measure: inWorld(settle(1000)),
  },
  {
    name: 'settlement-1',
    title: 'settlement, 10,000 payments from one account, half of the payees here',
    targets: { sandbox: { atLeast: 1200, unit: '/s' } },
    floor,
    measure: inWorld(settle(1)),
  },
  {
    name: 'hot-creditor',
    title: 'settlement, 10,000 payments from 1,000 accounts to one, with a synchronous standby',
    targets: { production: { atLeast: 1500, unit: '/s' } },
    floor,
    // The ledger is that of the sandbox bank, because the row is about its hottest account.
    measure: inWorld(settle(1000, taxAccount), () => ({ column: 'sandbox', synchronousStandby: true })),
  },
];
