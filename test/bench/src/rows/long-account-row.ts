import { connections } from '../hops/hops.js';
import { inTurns } from '../hops/turns.js';
import { sumCpu } from '../load/cpu-time.js';
import { type Measured, problemOf } from '../load/measure.js';
import { type FigureRow, formatRate, inWorld } from '../row.js';
import { fillHistories } from '../world/account-histories.js';
import { type Customer, customers } from '../world/customers.js';
import { transactionRequests } from './transaction-requests.js';

const [shortAccounts, shortEntries] = [1000, 1000] as const;
const longEntries = 1_000_000;
/** The minimum length of a period: with a thousand entries over 80 days, a page of 50 spans four days. */
const minDays = 5;

const describe = (entries: string, { perSecond, cpu }: Measured): string =>
  `${entries} entries: ${formatRate(perSecond)}/s at ${sumCpu(cpu).toFixed(2)} CPU ms`;

export const longAccountRow: FigureRow = {
  name: 'long-account',
  title: 'GET transactions, 50 of 1,000,000 relative to 50 of 1,000',
  targets: { sandbox: { atMost: 1.2, unit: '×' } },
  /**
   * Reads pages of an account with 1,000,000 entries, in turns with pages of a thousand accounts with 1,000 entries
   * each.
   */
  measure: inWorld(async (world, { seconds, warmUpSeconds, say }) => {
    const [long, short] = [customers.slice(0, 1), customers.slice(1, 1 + shortAccounts)];
    say(`  ${shortAccounts} accounts with ${shortEntries} entries, one with ${longEntries}`);
    await fillHistories(world, short, shortEntries);
    await fillHistories(world, long, longEntries);
    const max = (seconds + warmUpSeconds) * 2000;
    const turn = async (accounts: readonly Customer[]) => {
      const prepared = await transactionRequests(world, { accounts, minDays, max });
      const plan = { ...world.entrance, connections, seconds, warmUpSeconds, ...prepared };
      return { parts: world.parts, plan };
    };
    const [ofShort, ofLong] = await inTurns([await turn(short), await turn(long)], seconds);
    if (ofShort === undefined || ofLong === undefined) throw new Error('nothing was measured');
    return {
      value: ofShort.perSecond / ofLong.perSecond,
      notes: [`${describe('1,000', ofShort)}; ${describe('1,000,000', ofLong)}`],
      problem: problemOf(ofShort, ofLong),
    };
  }),
};
