import type { EventResource } from '@xs2a/contracts/published-event';
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
const nextStep = (counts: KeyCounts, unreadable: KeyCounts, current: string): string => {
  const others = [...new Set([...counts.keys(), ...unreadable.keys()])].filter((name) => name !== current);
  if (others.length === 0 && unreadable.size > 0)
    return `Another key that was called ${current}, too, is still in use. Do not remove any from MASTER_KEYS.`;
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
}

/** Answers false when keys are left under another master key than the first. */
const rotate = async ({ pool, resource, masterKeys, output, signal }: Rotation): Promise<boolean> => {
  const walk: WalkOptions = { signal, onProgress: showProgress(output, await estimateRows(pool)) };
  const { rotated, unreadable } = await rotateKeys(pool, { masterKeys, ...walk });
  const counts = await countKeys(pool, walk);
  output.progressEnds();
  const missing =
    unreadable.size === 0 ? [] : [`  None of the given master keys unwraps: ${countsText(unreadable)}.`];
  const isDone = unreadable.size === 0 && [...counts.keys()].every((name) => name === masterKeys.current);
  output.show(
    {
      resource,
      masterKey: masterKeys.current,
      rotated,
      keys: Object.fromEntries(counts),
      unreadable: Object.fromEntries(unreadable),
    },
    [
      `${isDone ? '✓' : '!'} ${resource}: ${counted(rotated, 'key')} rotated; now ${countsText(counts)}`,
      ...missing,
      `  ${nextStep(counts, unreadable, masterKeys.current)}`,
    ].join('\n'),
  );
  return isDone;
};

const count = async ({ pool, resource, masterKeys, output, signal }: Rotation): Promise<void> => {
  const counts = await countKeys(pool, {
    signal,
    onProgress: showProgress(output, await estimateRows(pool)),
  });
  output.progressEnds();
  // Only a rotation tries each key, so only it can say that a master key is no longer in use.
  const isMixed = [...counts.keys()].some((name) => name !== masterKeys.current);
  output.show(
    { resource, masterKey: masterKeys.current, keys: Object.fromEntries(counts) },
    `${resource}: ${countsText(counts)}; new keys are wrapped under ${masterKeys.current}${isMixed ? `\n  ${nextStep(counts, new Map(), masterKeys.current)}` : ''}`,
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
            const rotation = { pool: connections.pool(resource), resource, masterKeys, output, signal };
            if (options.dryRun === true) await count(rotation);
            else isDone = (await rotate(rotation)) && isDone;
          }
          return isDone ? 0 : 1;
        },
      ),
    );
