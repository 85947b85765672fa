import { liftScaLock, type PsuSca, readPsuSca } from '@xs2a/contracts/auth.contract';
import { recordAction, type RecordedAction } from '@xs2a/contracts/console.contract';
import { newId } from '@xs2a/runtime/ids';
import { userInfo } from 'node:os';
import { askAuth, askConsole } from '../ask-service.js';
import { defineCommand, group } from '../command-line/define-command.js';
import { argument } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import type { Connections } from '../connections.js';
import { checkReason, recordOptions } from '../privacy/person-options.js';

const psuId = argument('PSU-ID, as the PSU enters it to sign in');

/** Throws {@link Refusal} for an unknown PSU-ID. The message does not repeat the PSU-ID. */
const readPsu = async (connections: Connections, psu: string): Promise<PsuSca> => {
  const { psu: found } = await askAuth(connections, readPsuSca, { psuId: psu });
  if (found === undefined)
    throw new Refusal('Unknown PSU-ID: there is no record of a sign-in, or of an attempt, with it.');
  return found;
};

const show = defineCommand({
  name: 'show',
  help: 'failed sign-ins and codes of a PSU, until when SCA is locked, and locks that were lifted',
  options: { psuId },
  run: async ({ connections, options }) => readPsu(connections, options.psuId),
  text: ({ failures, lockedUntil, lifted }) =>
    [
      `SCA       ${lockedUntil === undefined ? 'not locked' : `locked until ${lockedUntil}`}`,
      `failures  ${failures} in a row`,
      ...(lifted.length === 0
        ? []
        : [
            table(lifted, {
              'lock lifted': ({ at }) => at,
              'locked until': (lock) => lock.lockedUntil,
              operator: ({ operator }) => operator,
              reason: ({ reason }) => reason,
            }),
          ]),
    ].join('\n'),
});

/**
 * Records at the console what was done. If the console does not answer, only says so: a repair must not wait for it, and the
 * authorization server has a record too.
 */
const recordAtConsole = async (connections: Connections, action: RecordedAction): Promise<void> => {
  try {
    await askConsole(connections, recordAction, action);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(
      `${error.message}\nThe lock is lifted, and psu show lists it, but it is not among the console's actions.\n`,
    );
  }
};

const unlock = defineCommand({
  name: 'unlock',
  help: 'lifts the SCA lock of a PSU; the failures count from zero, and the PSU is informed at the next sign-in',
  options: { psuId, ...recordOptions },
  run: async ({ connections, options: { psuId: psu, reason, operator = userInfo().username } }) => {
    checkReason(reason, { psuIds: [psu], ibans: [] });
    const { lifted } = await askAuth(connections, liftScaLock, { psuId: psu, operator, reason });
    if (lifted === undefined) {
      await readPsu(connections, psu);
      throw new Refusal('SCA is not locked for this PSU.');
    }
    const outcome = `The SCA lock until ${lifted.lockedUntil.slice(0, 16).replace('T', ' ')} UTC is lifted.`;
    const record = { actionId: newId(), act: 'lift-sca-lock', psuId: psu.trim(), operator, reason } as const;
    await recordAtConsole(connections, { ...record, isDone: true, outcome });
    return lifted;
  },
  text: ({ lockedUntil }) => `✓ the SCA lock until ${lockedUntil} is lifted`,
});

/** The commands for PSUs who cannot sign. */
export const psu = group('psu', 'PSUs whose SCA is locked after failures', [show, unlock]);
