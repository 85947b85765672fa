import { Command, Option } from 'commander';
import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import { within } from '../command-line/command-run.js';
import { eventsText, listEvents } from './list.js';
import { beginMs, endMs, type Moment, readMoment } from '../command-line/moments.js';
import { countUpTo } from '../command-line/option-values.js';
import { readTimeZone } from './read-models.js';
import { Refusal } from '../command-line/refusal.js';

interface ListOptions {
  readonly tpp?: string;
  readonly type?: string[];
  readonly since?: Moment;
  readonly until?: Moment;
  readonly limit: number;
}

/** `xs2a events list`: what of payments an operator searches for. */
export const listCommand = (): Command =>
  new Command('list')
    .description('events of payments by TPP, type and time, the newest last')
    .option('--tpp <client-id>', 'only of payments of this TPP')
    .addOption(
      new Option('--type <type...>', 'only events of these types').choices(Object.keys(paymentEventTypes)),
    )
    .option(
      '--since <time>',
      'a duration before now (30min, 2h, 7d), a day of the bank, or an ISO instant',
      readMoment,
    )
    .option('--until <time>', 'likewise; a day is included, an instant is not', readMoment)
    .option('--limit <count>', 'only the newest N', countUpTo(10_000), 50)
    .action(
      within<ListOptions, []>(async ({ connections, output, options }) => {
        const { tpp, type, since, until, limit } = options;
        const relative = [since, until].some((moment) => moment !== undefined && 'agoMs' in moment);
        const wall = {
          nowMs: relative ? await connections.nowMs() : 0,
          timeZone: readTimeZone(connections),
        };
        const fromMs = since && beginMs(since, wall);
        const untilMs = until && endMs(until, wall);
        if (fromMs !== undefined && untilMs !== undefined && fromMs >= untilMs) {
          throw new Refusal('--since must be before --until.', 2);
        }
        const query = { tpp, types: type, fromMs, untilMs, limit };
        const list = await listEvents(connections.reader('payments'), query);
        output.show(list, eventsText(list, query));
      }),
    );
