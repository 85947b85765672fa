import { type Invariant, invariantChecks } from '@xs2a/invariants/invariants';
import { readProfile } from '@xs2a/runtime/profile-file';
import type { Connections } from '../connections.js';
import { type Check, failed, type Outcome, passed } from './check.js';
import { readModels, readTimeZone } from '../events/read-models.js';
import { switchOverChecks } from '@xs2a/invariants/switch-over-checks';
import { readPlan } from '../euro/plan.js';
import { isProfileStored } from '../euro/profile-change.js';
import { xs2a } from '../command-line/own-name.js';

const maxShown = 5;

/** The command that fixes a violated invariant or shows its details. */
const repairs: Readonly<Record<Invariant['number'], string>> = {
  1: 'events verify',
  2: 'events show PAYMENT_ID',
  3: 'events show PAYMENT_ID',
  4: 'events verify',
  5: 'projections rebuild NAME',
  6: 'events show PAYMENT_ID',
  7: 'settlement queue',
  8: 'events show CONSENT_ID',
};

/** Checks the invariants of the switch-over to euro, once it is done. */
const switchOverCheck = (connections: Connections): Check => ({
  name: 'euro',
  needs: ['postgres', 'nats'],
  run: async (): Promise<Outcome> => {
    const plan = await readPlan(connections.pool('payments'));
    if (plan === undefined) return passed('no switch-over to euro is planned');
    const isDue = (await connections.nowMs()) >= Date.parse(plan.at);
    if (plan.phase === 'planned' && !isDue)
      return passed(`the switch-over to euro is planned for ${plan.at}`);
    const again = xs2a(`euro switch --at ${plan.at}`);
    if (plan.phase !== 'done') return failed(`the switch-over to euro at ${plan.at} is not done`, again);
    if (!(await isProfileStored(connections, plan)))
      return failed(`NATS has lost the profile ${plan.target}`, xs2a('jetstream make'));
    const schemas = { of: (schema: 'payments' | 'consents' | 'accounts') => connections.patientPool(schema) };
    const checks = switchOverChecks({ schemas, at: plan.at });
    const found: string[] = [];
    for (const { rule, check } of checks)
      found.push(...(await check()).map((violation) => `${rule}: ${violation}`));
    return found.length === 0
      ? passed(`the bank switched to euro at ${plan.at}: ${checks.length} of ${checks.length} invariants`)
      : failed(found.slice(0, maxShown).join('; '), xs2a('events verify'));
  },
});

/**
 * Creates a check for each of the eight invariants of libs/invariants, which are also verified by the fault runs, and
 * one for those of the switch-over to euro.
 */
export const deepChecks = (connections: Connections): readonly Check[] => [
  ...invariantChecks({
    schemas: { of: (schema) => connections.pool(schema) },
    nats: async () => connections.nats(),
    readModels,
    timeZone: readTimeZone(connections),
    verifiesPayees: readProfile(connections.profileFile).payeeVerification === 'page',
  }).map(({ number, rule, check }): Check => ({
    name: `invariant ${number}`,
    needs: ['postgres', 'nats'],
    run: async (): Promise<Outcome> => {
      const { checked, violations } = await check();
      if (violations.length === 0) return passed(`${rule} [${checked}]`);
      const more = violations.length > maxShown ? `; and ${violations.length - maxShown} more` : '';
      const text = `${rule} [${checked}]: ${violations.slice(0, maxShown).join('; ')}${more}`;
      return failed(text, xs2a(repairs[number]));
    },
  })),
  switchOverCheck(connections),
];
