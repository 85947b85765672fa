import { type Invariant, invariantChecks } from '@xs2a/invariants/invariants';
import type { Connections } from '../connections.js';
import { type Check, failed, type Outcome, passed } from './check.js';
import { readModels, readTimeZone } from '../events/read-models.js';
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

/** Creates a check for each of the eight invariants of libs/invariants, which are also verified by the fault runs. */
export const deepChecks = (connections: Connections): readonly Check[] =>
  invariantChecks({
    schemas: { of: (schema) => connections.pool(schema) },
    nats: async () => connections.nats(),
    readModels,
    timeZone: readTimeZone(connections),
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
  }));
