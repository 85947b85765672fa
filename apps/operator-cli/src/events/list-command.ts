import { paymentEventTypes } from '@xs2a/domain/payment/payment-event-types';
import { defineCommand } from '../command-line/define-command.js';
import { beginMs, endMs, readMoment } from '../command-line/moments.js';
import { countUpTo } from '../command-line/option-values.js';
import { option, severalOf } from '../command-line/options.js';
import { Refusal } from '../command-line/refusal.js';
import { eventsText, listEvents } from './list.js';
import { readTimeZone } from './read-models.js';

export const listCommand = defineCommand({
  name: 'list',
  help: 'events of payments by TPP, type and time, the newest last',
  options: {
    tpp: option('<client-id>', 'only of payments of this TPP'),
    type: severalOf('<type>', 'only events of these types', Object.keys(paymentEventTypes)),
    since: option(
      '<time>',
      'a duration before now (30min, 2h, 7d), a day of the bank, or an ISO instant',
      readMoment,
    ),
    until: option('<time>', 'likewise; a day is included, an instant is not', readMoment),
    limit: option('<count>', 'only the newest N', countUpTo(10_000)).or(50),
  },
  run: async ({ connections, options: { tpp, type: types, since, until, limit } }) => {
    const relative = [since, until].some((moment) => moment !== undefined && 'agoMs' in moment);
    const wall = { nowMs: relative ? await connections.nowMs() : 0, timeZone: readTimeZone(connections) };
    const fromMs = since && beginMs(since, wall);
    const untilMs = until && endMs(until, wall);
    if (fromMs !== undefined && untilMs !== undefined && fromMs >= untilMs)
      throw new Refusal('--since must be before --until.', 2);
    return listEvents(connections.reader('payments'), { tpp, types, fromMs, untilMs, limit });
  },
  text: eventsText,
});
