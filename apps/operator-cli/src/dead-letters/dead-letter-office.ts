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
import type { Connections } from '../connections.js';
import { formatDetails } from '../events/details.js';
import { masked } from '../command-line/masking.js';
import { columns } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { consumingSchemas } from './schemas.js';
import { xs2a } from '../command-line/own-name.js';

/** A dead letter as it is shown: the event's data are masked, and null when they are not JSON. */
export interface ShownLetter extends Omit<DeadLetter, 'body'> {
  /** `consumer:pos`, as the other commands take it. */
  readonly id: string;
  readonly event: unknown;
}
export type ReplayOutcome =
  | { readonly id: string; readonly outcome: 'done' }
  | { readonly id: string; readonly outcome: 'failed'; readonly reason: string }
  | { readonly id: string; readonly outcome: 'waiting' }
  /** Never there, or replayed or discarded by somebody else. */
  | { readonly id: string; readonly outcome: 'gone' };

const toId = ({ consumer, pos }: LetterId): string => `${consumer}:${pos}`;

/** Reads `settlement:1234`; throws {@link Refusal}. */
export const readLetterId = (text: string): LetterId => {
  const [, consumer, pos] = /^([\w.-]+):(-?\d{1,15})$/.exec(text) ?? [];
  if (consumer === undefined || pos === undefined) {
    throw new Refusal(
      `${text} is not a dead letter's id, such as settlement:1234. Run: ${xs2a('dead-letters list')}`,
      2,
    );
  }
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

export const allLetters = async (connections: Connections): Promise<ShownLetter[]> => {
  const letters: ShownLetter[] = [];
  for (const schema of await consumingSchemas(connections)) {
    letters.push(...(await listDeadLetters(connections.pool(schema), 1000)).map(shown));
  }
  return letters;
};

export const lettersText = (letters: readonly ShownLetter[]): string =>
  letters.length === 0
    ? 'No dead letters.'
    : columns(
        ['letter', 'put aside', 'subject', 'reason', 'replay'],
        letters.map(({ id, addedAt, subject, reason, replay }) => [
          id,
          addedAt.toISOString(),
          subject,
          reason,
          replay ?? '',
        ]),
      );

/** The letter and where it is kept. Throws {@link Refusal} when there is none. */
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

export const oneLetter = async (connections: Connections, id: LetterId): Promise<ShownLetter> =>
  shown((await find(connections, id)).letter);

export const letterText = ({ id, subject, reason, addedAt, replay, event }: ShownLetter): string => {
  const data = (event as { readonly data?: unknown } | null)?.data;
  return [
    `letter   ${id}`,
    `subject  ${subject}`,
    `aside    ${addedAt.toISOString()}`,
    `reason   ${reason}`,
    `replay   ${replay ?? 'not asked for'}`,
    `event    ${event === null ? 'is not JSON' : formatDetails(data)}`,
    ...(event === null ? [] : [JSON.stringify(event, undefined, 2)]),
  ].join('\n');
};

/** Asks the consumer to handle the letter again, and waits a while for what becomes of it. */
export const replay = async (
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

export const replayText = (result: ReplayOutcome): string => {
  if (result.outcome === 'done') return `✓ ${result.id}: handled, and removed`;
  if (result.outcome === 'gone') return `✗ ${result.id}: there is no such letter, or not any more`;
  if (result.outcome === 'failed') return `✗ ${result.id}: failed again (${result.reason}); it stays`;
  return `… ${result.id}: asked for; its consumer has not taken it up yet. Run: ${xs2a('consumers')}`;
};

/** Forgets a letter for good. Throws {@link Refusal} when it is being replayed at this moment. */
export const discard = async (connections: Connections, id: LetterId): Promise<ShownLetter> => {
  const { pool, letter } = await find(connections, id);
  if (!(await discardDeadLetter(pool, id))) {
    throw new Refusal(`${toId(id)} is being replayed now, or is gone already.`);
  }
  return shown(letter);
};
