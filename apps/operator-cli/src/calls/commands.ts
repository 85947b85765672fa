import { Clock } from '@xs2a/runtime/clock';
import { readProfile } from '@xs2a/runtime/profile-file';
import { InvalidArgumentError } from 'commander';
import { defineCommand, group } from '../command-line/define-command.js';
import { beginMs, readMoment } from '../command-line/moments.js';
import { argument, countUpTo, option } from '../command-line/options.js';
import { xs2a } from '../command-line/own-name.js';
import { Refusal } from '../command-line/refusal.js';
import { readTimeZone } from '../events/read-models.js';
import { afterNewest, callsText, callTexts, findCalls, listCalls, readCursor } from './calls.js';

/** Calls have real times, also in the sandbox. */
const realTime = new Clock(false);

const all = [100, 599] as const;
/** 499 means that the client disconnected, which is neither a refusal nor a failure. */
const words = new Map<string, readonly [number, number]>([
  ['refused', [400, 498]],
  ['failed', [500, 599]],
]);

/** Parses `refused`, `failed`, `4xx` or `404` to the lowest and highest status. */
const statuses = (text: string): readonly [number, number] => {
  const range = words.get(text);
  if (range !== undefined) return range;
  const [, hundreds, rest] = /^([2-5])(xx|\d\d)$/.exec(text) ?? [];
  if (hundreds === undefined)
    throw new InvalidArgumentError(
      'It must be refused (4xx), failed (5xx), 2xx to 5xx, or a status such as 404.',
    );
  return rest === 'xx' ? [Number(`${hundreds}00`), Number(`${hundreds}99`)] : [Number(text), Number(text)];
};

const cursor = (text: string) => {
  const position = readCursor(text);
  if (position === undefined)
    throw new InvalidArgumentError('Use the value at the end of the previous page.');
  return position;
};

const list = defineCommand({
  name: 'list',
  help: 'calls of the last 24 hours, newest first; times are real, also in the sandbox',
  options: {
    tpp: option('<client-id>', 'only calls of this TPP'),
    operation: option('<name>', 'only calls of this endpoint, such as initiatePayment'),
    status: option('<status>', 'refused (4xx), failed (5xx), 2xx to 5xx, or a status', statuses),
    code: option('<code>', 'only calls refused with this code, such as FORMAT_ERROR'),
    since: option(
      '<time>',
      'a duration before now (30min, 2h, 7d), a day of the bank, or an ISO instant',
      readMoment,
    ),
    before: option('<position>', 'only older calls: continues the page that ended with it', cursor),
    limit: option('<count>', 'only the newest N', countUpTo(10_000)).or(50),
  },
  run: async ({
    connections,
    options: { status = all, since = { agoMs: 86_400_000 }, before, ...filter },
  }) => {
    const nowMs = realTime.nowMs();
    return listCalls(connections.reader('console'), {
      ...filter,
      statuses: status,
      sinceMs: beginMs(since, { nowMs, timeZone: readTimeZone(connections) }),
      before: before ?? afterNewest(nowMs),
    });
  },
  text: callsText,
});

const show = defineCommand({
  name: 'show',
  help: 'one call: what was answered, how fast, where the first violation is, and which rule it violates',
  options: { requestId: argument('X-Request-ID of the call') },
  run: async ({ connections, options: { requestId } }) => {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(requestId))
      throw new Refusal(`${requestId} is not a request id. Run: ${xs2a('calls list')}`, 2);
    const calls = await findCalls(connections.reader('console'), requestId);
    if (calls.length === 0)
      throw new Refusal(
        `There is no row of a call ${requestId}. Rows arrive within seconds and are kept for CALL_DAYS; of successful calls, only some have one.`,
      );
    return { calls, bank: readProfile(connections.profileFile) };
  },
  json: ({ calls }) => ({ calls }),
  text: ({ calls, bank }) => callTexts(calls, bank),
});

/** The command group for the answered calls of the API. */
export const calls = group('calls', 'answered calls of the API, with the first violation of each refusal', [
  list,
  show,
]);
