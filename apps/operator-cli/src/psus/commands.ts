import { type LiftedLock, liftScaLock, type PsuSca, readPsuSca } from '@xs2a/contracts/auth.contract';
import { approvalsByCommand } from '@xs2a/contracts/console/waiting-approvals.contract';
import { noApprovals } from '@xs2a/doctor/open-approvals';
import { newId } from '@xs2a/runtime/ids';
import { userInfo } from 'node:os';
import { recorded } from '../actions/recorded.js';
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
  text: ({ failures, failedAt = [], lockedUntil, lifted }) =>
    [
      `SCA       ${lockedUntil === undefined ? 'not locked' : `locked until ${lockedUntil}`}`,
      `failures  ${failures} in a row`,
      ...failedAt.map((at) => `failed    ${at}`),
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

const outcomeOf = ({ lockedUntil }: LiftedLock): string =>
  `The SCA lock until ${lockedUntil.slice(0, 16).replace('T', ' ')} UTC is lifted.`;

const unlock = defineCommand({
  name: 'unlock',
  help: 'lifts the SCA lock of a PSU; the failures count from zero, and the PSU is informed at the next sign-in',
  options: { psuId, ...recordOptions },
  run: async ({ connections, options: { psuId: psu, reason, operator } }) => {
    const action = { act: 'lift-sca-lock', psuId: psu.trim(), reason, operator } as const;
    return recorded(connections, action, async (name) => {
      const { lifted } = await askAuth(connections, liftScaLock, { psuId: psu, operator: name, reason });
      if (lifted !== undefined) return { result: lifted, outcome: outcomeOf(lifted) };
      await readPsu(connections, psu);
      throw new Refusal('SCA is not locked for this PSU.');
    });
  },
  text: ({ lockedUntil }) => `✓ the SCA lock until ${lockedUntil} is lifted`,
});

const approvals = defineCommand({
  name: 'approvals',
  help: 'payments, orders, baskets and consents that wait for a PSU; recorded, at most 20 times an hour',
  options: { psuId, ...recordOptions },
  run: async ({ connections, options: { psuId: psu, reason, operator = userInfo().username } }) => {
    checkReason(reason, { psuIds: [psu.trim()], ibans: [] });
    const asked = { actionId: newId(), psuId: psu.trim(), operator, reason };
    const answer = await askConsole(connections, approvalsByCommand, asked);
    if ('refused' in answer) throw new Refusal(answer.refused);
    return answer;
  },
  text: ({ approvals: found, isCut }) =>
    found.length === 0
      ? noApprovals
      : [
          table(found, {
            what: ({ kind }) => kind,
            id: ({ id }) => id,
            TPP: ({ tppId }) => tppId,
            since: ({ createdAt }) => createdAt,
            until: ({ expiresAt }) => expiresAt,
            'this PSU': ({ scaStatus }) => scaStatus,
            signed: ({ signatures }) => `${signatures.given} of ${signatures.required}`,
          }),
          ...(isCut === true ? ['there may be more: these are the newest'] : []),
        ].join('\n'),
});

/** The commands for PSUs who cannot sign. */
export const psu = group('psu', 'PSUs who cannot sign: locked SCA, open approvals', [
  show,
  approvals,
  unlock,
]);
