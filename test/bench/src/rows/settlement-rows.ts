import { type FigureRow, formatRate, inWorld } from '../row.js';
import { customers } from '../world/customers.js';
import { settleRound } from '../world/settlement-round.js';

const settlement = (accounts: number): FigureRow['measure'] =>
  inWorld(async (world, { payments = 10_000, say }) => {
    const payers = customers.slice(0, accounts);
    say(`  twice ${payments} payments are signed and settled over ${payers.length} accounts`);
    // A first round of the same size is not counted, so that the service is warm when it is measured.
    const first = await settleRound(world, payers, payments);
    const { perSecond, seconds, cpu, problem } = await settleRound(world, payers, payments);
    const note = `${payments} ACSC in ${seconds.toFixed(2)} s; as many before them at ${formatRate(first.perSecond)}/s`;
    return { value: perSecond, perSecond, cpu, cpuOf: 'a payment', notes: [note], problem };
  });

export const settlementRows: readonly FigureRow[] = [
  {
    name: 'settlement-1000',
    title: 'settlement, 10,000 payments over 1,000 accounts, half of the payees here',
    targets: { sandbox: { atLeast: 2000, unit: '/s' }, production: { atLeast: 1000, unit: '/s' } },
    measure: settlement(1000),
  },
  {
    name: 'settlement-1',
    title: 'settlement, 10,000 payments from one account, half of the payees here',
    targets: { sandbox: { atLeast: 1000, unit: '/s' } },
    measure: settlement(1),
  },
];
