import { connections } from '../hops/hops.js';
import { inTurns } from '../hops/turns.js';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import type { Measured } from '../load/measure.js';
import { fillHistories } from '../world/account-histories.js';
import { BenchWorld } from '../world/bench-world.js';
import { type Customer, customers } from '../world/customers.js';
import { transactionRequests } from './transaction-requests.js';

const [shortAccounts, shortEntries] = [1000, 1000] as const;
const longEntries = 1_000_000;
/** A thousand entries over 80 days: a page of 50 needs four of them. */
const minDays = 5;

const formatSpeed = ({ perSecond }: Measured): string => `${Math.round(perSecond).toLocaleString('en-US')}/s`;
const addCpu = ({ cpu }: Measured): number => cpu.reduce((sum, [, ms]) => sum + ms, 0);

/** Pages of an account with 1,000,000 entries in turns with pages of a thousand accounts with 1,000 entries each. */
const compare = async (options: FigureOptions): Promise<Found> => {
  const { seconds, warmUpSeconds, say } = options;
  const world = await BenchWorld.start(options);
  try {
    const long = customers.slice(0, 1);
    const short = customers.slice(1, 1 + shortAccounts);
    say(`  ${shortAccounts} accounts with ${shortEntries} entries, one with ${longEntries}`);
    await fillHistories(world.sandbox, short, shortEntries);
    await fillHistories(world.sandbox, long, longEntries);
    const max = (seconds + warmUpSeconds) * 2000;
    const makePlan = async (accounts: readonly Customer[]) => ({
      parts: world.parts,
      plan: {
        ...world.entrance,
        connections,
        seconds,
        warmUpSeconds,
        ...(await transactionRequests(world, { accounts, minDays, max })),
        once: true,
      },
    });
    const turns = [await makePlan(short), await makePlan(long)];
    const [ofShort, ofLong] = await inTurns(turns, seconds);
    if (ofShort === undefined || ofLong === undefined) throw new Error('nothing was measured');
    const unexpected = [ofShort, ofLong].find((result) => result.unexpected > 0);
    return {
      value: ofShort.perSecond / ofLong.perSecond,
      notes: [
        `1,000 entries: ${formatSpeed(ofShort)} at ${addCpu(ofShort).toFixed(2)} CPU ms; 1,000,000 entries: ${formatSpeed(ofLong)} at ${addCpu(ofLong).toFixed(2)} CPU ms`,
      ],
      ...(unexpected === undefined
        ? {}
        : { problem: `${unexpected.unexpected} unexpected answers: ${unexpected.firstUnexpected}` }),
    };
  } finally {
    await world.stop();
  }
};

export const longAccountRow: FigureRow = {
  name: 'long-account',
  title: 'GET transactions, 50 of 1,000,000 to 50 of 1,000: how much slower',
  targets: { sandbox: { atMost: 1.2, unit: '×' } },
  measure: compare,
};
