import { cpuNote, type FigureOptions, type FigureRow, type Found } from '../figure.js';
import { BenchWorld } from '../world/bench-world.js';
import { customers } from '../world/customers.js';
import { settleRound } from '../world/settlement-round.js';
import { withClient } from '../world/with-client.js';

const settlement =
  (accounts: number) =>
  async (options: FigureOptions): Promise<Found> => {
    const { payments = 10_000, say } = options;
    const world = await BenchWorld.start(options);
    try {
      const payers = customers.slice(0, accounts);
      say(`  twice ${payments} payments are signed and settled over ${payers.length} accounts`);
      return await withClient(world.sandbox.databaseUrl('postgres'), async (client): Promise<Found> => {
        // A first round of the same size is not counted: the measured service is warm.
        const first = await settleRound(world, client, { payers, payments });
        const { perSecond, seconds, ended, money, cpu, stored } = await settleRound(world, client, {
          payers,
          payments,
        });
        return {
          value: perSecond,
          perSecond,
          notes: [
            `${ended} ACSC${world.hasSandboxBank ? ` and ${money} posted` : ''} in ${seconds.toFixed(2)} s; as many before them at ${Math.round(first.perSecond).toLocaleString('en-US')}/s`,
            cpuNote(cpu, 'a payment'),
            stored,
          ],
          ...(ended === payments && (money === payments || !world.hasSandboxBank)
            ? {}
            : { problem: `of ${payments} payments ${ended} are ACSC and ${money} posted` }),
        };
      });
    } finally {
      await world.stop();
    }
  };

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
