import type { EventResource } from '@xs2a/contracts/event-streams';
import { idempotencyNeeds } from '@xs2a/event-store/streams/idempotency-records';
import { countKeys, type KeyCounts, rotateKeys } from '@xs2a/custody/personal-data/rotate-keys';
import { defineCommand } from '../command-line/define-command.js';
import { flag } from '../command-line/options.js';
import { counted } from '../command-line/output.js';
import { oneRow } from '../connections.js';
import { chosenResources } from '../events/resource-option.js';

interface Rotated {
  readonly resource: EventResource;
  /** The master key under which new keys are wrapped. */
  readonly current: string;
  /** Undefined if keys were only counted. */
  readonly rotation?: { readonly rotated: number; readonly unreadable: KeyCounts };
  readonly counts: KeyCounts;
  /** Other master keys that repeated requests need, each with the time until which it is needed. */
  readonly needs: ReadonlyMap<string, Date>;
}

const countsText = (counts: KeyCounts): string =>
  [...counts].map(([name, keys]) => `${counted(keys, 'key')} under ${name}`).join(', ') || 'no keys';

/** Describes what an operator can do next. */
const nextStep = ({ current, rotation, counts, needs }: Rotated): string => {
  const unreadable: KeyCounts = rotation?.unreadable ?? new Map();
  const others = [...new Set([...counts.keys(), ...unreadable.keys()])].filter((name) => name !== current);
  if (others.length === 0 && unreadable.size > 0)
    return `Another key with the name ${current} is still in use. Do not remove any from MASTER_KEYS.`;
  if (others.length === 0 && needs.size > 0)
    return `No key is wrapped under any master key other than ${current}. Repeated requests need ${[...needs].map(([name, until]) => `${name} until ${until.toISOString()}`).join(', ')}: do not remove it from MASTER_KEYS before then.`;
  return others.length === 0
    ? `No key is wrapped under any master key other than ${current}: the others may be removed from MASTER_KEYS, but keep them for as long as you keep earlier backups.`
    : `Still in use: ${others.join(', ')}. Do not remove any of them from MASTER_KEYS.`;
};

/**
 * True if some keys are still wrapped under a master key other than the first, or if repeated requests need
 * another one.
 */
const isMixed = ({ current, rotation, counts, needs }: Rotated): boolean =>
  needs.size > 0 ||
  (rotation?.unreadable.size ?? 0) > 0 ||
  [...counts.keys()].some((name) => name !== current);

const rotatedText = (result: Rotated): string => {
  const { resource, current, rotation, counts } = result;
  if (rotation === undefined) {
    // Only a rotation tries each key, so only a rotation can tell that a master key is no longer in use.
    const next = isMixed(result) ? `\n  ${nextStep(result)}` : '';
    return `${resource}: ${countsText(counts)}; new keys are wrapped under ${current}${next}`;
  }
  const { rotated, unreadable } = rotation;
  const mark = isMixed(result) ? '!' : '✓';
  return [
    `${mark} ${resource}: ${counted(rotated, 'key')} rotated; now ${countsText(counts)}`,
    ...(unreadable.size === 0
      ? []
      : [`  Not unwrapped by any of the given master keys: ${countsText(unreadable)}.`]),
    `  ${nextStep(result)}`,
  ].join('\n');
};

/** Wraps all keys of personal data under the first master key. */
export const rotate = defineCommand({
  name: 'rotate',
  help: 'wraps the keys of personal data under the first master key while services run; repeatable',
  options: {
    resource: chosenResources('only this resource (default: both)'),
    dryRun: flag('counts the keys under each master key, and changes nothing'),
  },
  run: async function* ({ connections, output, options, interrupted }): AsyncGenerator<Rotated> {
    const signal = interrupted();
    for (const resource of options.resource) {
      const masterKeys = await connections.mustHaveMasterKeys(resource);
      const { current } = masterKeys;
      const nowMs = await connections.nowMs();
      const pool = connections.pool(resource);
      const { keys: total } = await oneRow<{ keys: number }>(
        pool,
        `SELECT coalesce((SELECT greatest(reltuples, 0)::bigint FROM pg_class WHERE oid = to_regclass('stream_key')), 0)
           AS keys`,
      );
      const show = output.measure('keys');
      const walk = { signal, onProgress: (done: number) => show(done, total) };
      const rotation = options.dryRun ? undefined : await rotateKeys(pool, { masterKeys, ...walk });
      const counts = await countKeys(pool, walk);
      const needs = await idempotencyNeeds(pool, { current, nowMs });
      yield { resource, current, rotation, counts, needs };
    }
  },
  json: ({ resource, current, rotation, counts, needs }) => ({
    resource,
    masterKey: current,
    rotated: rotation?.rotated,
    keys: Object.fromEntries(counts),
    unreadable: rotation && Object.fromEntries(rotation.unreadable),
    neededByRepeats: Object.fromEntries(needs),
  }),
  text: rotatedText,
  failed: (result) => result.rotation !== undefined && isMixed(result),
});
