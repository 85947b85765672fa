import type { EventResource } from '@xs2a/contracts/published-event';
import { idempotencyNeeds } from '@xs2a/event-store/personal-data/idempotency-needs';
import {
  countKeys,
  type KeyCounts,
  rotateKeys,
  type WalkOptions,
} from '@xs2a/event-store/personal-data/rotate-keys';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import { Command, Option } from 'commander';
import type { Pool } from 'pg';
import { within } from '../command-line/command-run.js';
import { counted, type Output } from '../command-line/output.js';
import { resourceNames } from '../events/tail.js';
import { mustHaveMasterKeys } from '../personal-data.js';

const estimateRows = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ rows: number }>(
    "SELECT greatest(reltuples, 0)::bigint AS rows FROM pg_class WHERE oid = to_regclass('stream_key')",
  );
  return rows[0]?.rows ?? 0;
};

const showProgress = (output: Output, total: number): ((done: number) => void) => {
  const begun = performance.now();
  return (done) => {
    const perSecond = (done * 1000) / (performance.now() - begun);
    const all = Math.max(total, done);
    output.progress({ done, total: all, perSecond, secondsLeft: (all - done) / perSecond, what: 'keys' });
  };
};

const countsText = (counts: KeyCounts): string =>
  [...counts].map(([name, keys]) => `${counted(keys, 'key')} under ${name}`).join(', ') || 'no keys';

/** Says what an operator may do now. */
const nextStep = (
  counts: KeyCounts,
  unreadable: KeyCounts,
  { current, needs }: { readonly current: string; readonly needs: ReadonlyMap<string, Date> },
): string => {
  const others = [...new Set([...counts.keys(), ...unreadable.keys()])].filter((name) => name !== current);
  if (others.length === 0 && unreadable.size > 0)
    return `Another key that was called ${current}, too, is still in use. Do not remove any from MASTER_KEYS.`;
  if (others.length === 0 && needs.size > 0)
    return `No key is wrapped under another master key than ${current}. Repeated requests need ${[...needs].map(([name, until]) => `${name} until ${until.toISOString()}`).join(', ')}: do not remove it from MASTER_KEYS before.`;
  return others.length === 0
    ? `No key is wrapped under another master key than ${current}: the others may be removed from MASTER_KEYS, and are kept as long as backups from before.`
    : `Still in use: ${others.join(', ')}. Do not remove any of them from MASTER_KEYS.`;
};

interface Rotation {
  readonly pool: Pool;
  readonly resource: EventResource;
  readonly masterKeys: MasterKeys;
  readonly output: Output;
  readonly signal: AbortSignal;
  /** The bank's now, epoch milliseconds. */
  readonly nowMs: number;
}

/** Returns false when keys are left under another master key than the first, or repeated requests need another one. */
const rotate = async ({ pool, resource, masterKeys, output, signal, nowMs }: Rotation): Promise<boolean> => {
  const walk: WalkOptions = { signal, onProgress: showProgress(output, await estimateRows(pool)) };
  const { rotated, unreadable } = await rotateKeys(pool, { masterKeys, ...walk });
  const counts = await countKeys(pool, walk);
  output.progressEnds();
  const { current } = masterKeys;
  const needs = await idempotencyNeeds(pool, { current, nowMs });
  const missing =
    unreadable.size === 0 ? [] : [`  None of the given master keys unwraps: ${countsText(unreadable)}.`];
  const isDone =
    unreadable.size === 0 && needs.size === 0 && [...counts.keys()].every((name) => name === current);
  output.show(
    {
      resource,
      masterKey: masterKeys.current,
      rotated,
      keys: Object.fromEntries(counts),
      unreadable: Object.fromEntries(unreadable),
      neededByRepeats: Object.fromEntries(needs),
    },
    [
      `${isDone ? '✓' : '!'} ${resource}: ${counted(rotated, 'key')} rotated; now ${countsText(counts)}`,
      ...missing,
      `  ${nextStep(counts, unreadable, { current, needs })}`,
    ].join('\n'),
  );
  return isDone;
};

const count = async ({ pool, resource, masterKeys, output, signal, nowMs }: Rotation): Promise<void> => {
  const counts = await countKeys(pool, {
    signal,
    onProgress: showProgress(output, await estimateRows(pool)),
  });
  output.progressEnds();
  const { current } = masterKeys;
  const needs = await idempotencyNeeds(pool, { current, nowMs });
  // Only a rotation tries each key, so only it can say that a master key is no longer in use.
  const isMixed = needs.size > 0 || [...counts.keys()].some((name) => name !== current);
  output.show(
    {
      resource,
      masterKey: current,
      keys: Object.fromEntries(counts),
      neededByRepeats: Object.fromEntries(needs),
    },
    `${resource}: ${countsText(counts)}; new keys are wrapped under ${masterKeys.current}${isMixed ? `\n  ${nextStep(counts, new Map(), { current, needs })}` : ''}`,
  );
};

/** `privacy rotate`: wraps all keys of personal data under the first of the master keys. */
export const rotateCommand = (): Command =>
  new Command('rotate')
    .description(
      'wraps the keys of personal data under the first master key, while services work; repeatable',
    )
    .addOption(new Option('--resource <name>', 'only these (default: both)').choices(resourceNames))
    .option('--dry-run', 'counts the keys under each master key, and changes nothing')
    .action(
      within<{ resource?: EventResource; dryRun?: boolean }, []>(
        async ({ connections, output, options, interrupted }) => {
          const signal = interrupted();
          let isDone = true;
          for (const resource of options.resource === undefined ? resourceNames : [options.resource]) {
            const masterKeys = await mustHaveMasterKeys(connections, resource);
            const nowMs = await connections.nowMs();
            const rotation = {
              pool: connections.pool(resource),
              resource,
              masterKeys,
              output,
              signal,
              nowMs,
            };
            if (options.dryRun === true) await count(rotation);
            else isDone = (await rotate(rotation)) && isDone;
          }
          return isDone ? 0 : 1;
        },
      ),
    );
