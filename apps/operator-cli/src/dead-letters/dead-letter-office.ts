import {
  type DeadLetter,
  discardDeadLetter,
  listDeadLetters,
  type LetterId,
  readDeadLetter,
  requestReplay,
} from '@xs2a/consumers/dead-letters';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { recorded } from '../actions/recorded.js';
import type { Connections } from '../connections.js';
import { recordOptions } from '../privacy/person-options.js';
import { formatDetails } from '@xs2a/resources/event-details';
import { masked } from '@xs2a/resources/masking';
import { defineCommand } from '../command-line/define-command.js';
import { allArguments, argument, flag, option, wholeNumber } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { consumingSchemas } from './schemas.js';
import { xs2a } from '../command-line/own-name.js';

/** A dead letter for display. Its event data is masked, or null if it is not JSON. */
export interface ShownLetter extends Omit<DeadLetter, 'body'> {
  /** The id in the format `consumer:pos`, as accepted by the other commands. */
  readonly id: string;
  readonly event: unknown;
}
type ReplayOutcome =
  | { readonly id: string; readonly outcome: 'done' }
  | { readonly id: string; readonly outcome: 'failed'; readonly reason: string }
  | { readonly id: string; readonly outcome: 'waiting' }
  /** The letter never existed, or somebody else has replayed or discarded it. */
  | { readonly id: string; readonly outcome: 'gone' };

const toId = ({ consumer, pos }: LetterId): string => `${consumer}:${pos}`;

/** Parses an id such as `settlement:1234`. Throws {@link Refusal} if it is invalid. */
const readLetterId = (text: string): LetterId => {
  const [, consumer, pos] = /^([\w.-]+):(-?\d{1,15})$/.exec(text) ?? [];
  if (consumer === undefined || pos === undefined)
    throw new Refusal(
      `${text} is not a dead letter's id, such as settlement:1234. Run: ${xs2a('dead-letters list')}`,
      2,
    );
  return { consumer, pos: Number(pos) };
};

const shown = ({ body, ...letter }: DeadLetter): ShownLetter => ({
  ...letter,
  id: toId(letter),
  event: eventIn(body),
});

const eventIn = (body: string): unknown => {
  try {
    return masked(JSON.parse(body));
  } catch {
    return null;
  }
};

const allLetters = async (connections: Connections): Promise<ShownLetter[]> => {
  const letters: ShownLetter[] = [];
  for (const schema of await consumingSchemas(connections))
    letters.push(...(await listDeadLetters(connections.pool(schema), 1000)).map(shown));
  return letters;
};

/**
 * Finds a dead letter and the pool of the database schema that contains it. Throws {@link Refusal} if there is no
 * such letter.
 */
const find = async (connections: Connections, id: LetterId): Promise<{ pool: Pool; letter: DeadLetter }> => {
  const found = await look(connections, id);
  if (found !== undefined) return found;
  throw new Refusal(`There is no dead letter ${toId(id)}. Run: ${xs2a('dead-letters list')}`);
};
const look = async (
  connections: Connections,
  id: LetterId,
): Promise<{ pool: Pool; letter: DeadLetter } | undefined> => {
  for (const schema of await consumingSchemas(connections)) {
    const pool = connections.pool(schema);
    const letter = await readDeadLetter(pool, id);
    if (letter !== undefined) return { pool, letter };
  }
  return undefined;
};

const oneLetter = async (connections: Connections, id: LetterId): Promise<ShownLetter> =>
  shown((await find(connections, id)).letter);

/** Asks the consumer to process the dead letter again, and waits briefly for the outcome. */
const replay = async (
  connections: Connections,
  id: LetterId,
  waitSeconds: number,
): Promise<ReplayOutcome> => {
  const pool = (await look(connections, id))?.pool;
  if (pool === undefined || !(await requestReplay(pool, id))) return { id: toId(id), outcome: 'gone' };
  const end = performance.now() + waitSeconds * 1000;
  for (;;) {
    const letter = await readDeadLetter(pool, id);
    if (letter === undefined) return { id: toId(id), outcome: 'done' };
    if (letter.replay === 'failed') return { id: toId(id), outcome: 'failed', reason: letter.reason };
    if (performance.now() > end) return { id: toId(id), outcome: 'waiting' };
    await pause(50);
  }
};

const replayText = (result: ReplayOutcome): string => {
  if (result.outcome === 'done') return `✓ ${result.id}: handled, and removed`;
  if (result.outcome === 'gone')
    return `✗ ${result.id}: there is no such dead letter, or it no longer exists`;
  if (result.outcome === 'failed') return `✗ ${result.id}: failed again (${result.reason}); it is kept`;
  return `… ${result.id}: requested; its consumer has not processed it yet. Run: ${xs2a('consumers')}`;
};

/** As the console records them. */
const outcomes: Readonly<Record<ReplayOutcome['outcome'], string>> = {
  done: 'The event is handled.',
  failed: 'The event failed again, and is kept.',
  waiting: 'The worker was asked to handle the event again.',
  gone: 'There is no such dead letter any more.',
};

const letter = argument('as shown by `list`, e.g. settlement:1234');

export const listLetters = defineCommand({
  name: 'list',
  help: 'all dead letters, oldest first',
  run: async ({ connections }) => allLetters(connections),
  text: (letters) =>
    table(
      letters,
      {
        letter: ({ id }) => id,
        since: ({ addedAt }) => addedAt.toISOString(),
        subject: ({ subject }) => subject,
        reason: ({ reason }) => reason,
        replay: ({ replay: asked }) => asked,
      },
      'No dead letters.',
    ),
});

export const showLetter = defineCommand({
  name: 'show',
  help: 'one dead letter with its event',
  options: { letter },
  run: async ({ connections, options }) => oneLetter(connections, readLetterId(options.letter)),
  text: ({ id, subject, reason, addedAt, replay: asked, event }) =>
    [
      `letter   ${id}`,
      `subject  ${subject}`,
      `since    ${addedAt.toISOString()}`,
      `reason   ${reason}`,
      `replay   ${asked ?? 'not requested'}`,
      `event    ${event === null ? 'is not JSON' : formatDetails((event as { readonly data?: unknown }).data)}`,
      ...(event === null ? [] : [JSON.stringify(event, undefined, 2)]),
    ].join('\n'),
});

export const replayLetters = defineCommand({
  name: 'replay',
  help: 'makes the consumer handle dead letters again; the effect happens once, even if requested repeatedly',
  options: {
    letters: allArguments('as shown by `list`, e.g. settlement:1234'),
    all: flag('all dead letters'),
    wait: option('<seconds>', 'how long to wait for each outcome', wholeNumber).or(10),
    ...recordOptions,
  },
  run: async function* ({ connections, output, options: { letters, all, wait, ...record } }) {
    if ((letters.length === 0) !== all)
      throw new Refusal('Name the dead letters to replay, or use --all.', 2);
    const ids = all ? await allLetters(connections) : letters.map(readLetterId);
    if (ids.length === 0) output.say('No dead letters.');
    for (const id of ids) {
      const action = { act: 'replay-dead-letter', target: toId(id), ...record } as const;
      yield await recorded(connections, action, async () => {
        const result = await replay(connections, id, wait);
        return { result, outcome: outcomes[result.outcome], isDone: result.outcome !== 'gone' };
      });
    }
  },
  text: replayText,
  failed: ({ outcome }) => outcome !== 'done',
});

export const discardLetter = defineCommand({
  name: 'discard',
  help: 'deletes one permanently',
  options: {
    letter,
    yes: flag('confirms that what the event asked for will never be done'),
    ...recordOptions,
  },
  run: async ({ connections, options }) => {
    const id = readLetterId(options.letter);
    const { pool, letter: found } = await find(connections, id);
    if (!options.yes)
      throw new Refusal(
        `What ${found.subject} asks for would never be done. To confirm: ${xs2a(`dead-letters discard ${options.letter} --yes --reason …`)}`,
      );
    const { reason, operator } = options;
    const action = { act: 'discard-dead-letter', target: toId(id), reason, operator } as const;
    return recorded(connections, action, async () => {
      if (!(await discardDeadLetter(pool, id)))
        throw new Refusal(`${toId(id)} is being replayed, or no longer exists.`);
      return { result: { discarded: shown(found) }, outcome: 'The event is discarded.' };
    });
  },
  text: ({ discarded }) => `✓ ${discarded.id} is discarded`,
});
