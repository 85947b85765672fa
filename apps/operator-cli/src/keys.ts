import {
  type KeyReport,
  readConsentKeys,
  readPaymentKeys,
  readSigningKeys,
} from '@xs2a/contracts/console/key.contract';
import { keyStates } from '@xs2a/doctor/keys';
import { askAuth, askConsents, askPayments } from './ask-service.js';
import { defineCommand } from './command-line/define-command.js';
import { table } from './command-line/output.js';
import type { Connections } from './connections.js';

interface ServiceKey extends KeyReport {
  readonly service: 'auth' | 'payments' | 'consents';
}

const readKeys = async (connections: Connections): Promise<readonly ServiceKey[]> => {
  const [auth, payments, consents] = await Promise.all([
    askAuth(connections, readSigningKeys, {}),
    askPayments(connections, readPaymentKeys, {}),
    askConsents(connections, readConsentKeys, {}),
  ]);
  return [
    ...auth.map((key) => ({ service: 'auth' as const, ...key })),
    ...payments.map((key) => ({ service: 'payments' as const, ...key })),
    ...consents.map((key) => ({ service: 'consents' as const, ...key })),
  ];
};

/** The command `xs2a keys`: prints the table of signing keys and master keys that the console shows, without key material. */
export const keys = defineCommand({
  name: 'keys',
  help: 'signing keys and master keys by name: which one is used, and which ones are still needed',
  run: async ({ connections, output }) => {
    const found = await readKeys(connections);
    output.showRows(
      found,
      table(found, {
        key: ({ id }) => id,
        service: ({ service }) => service,
        'used for': ({ use }) => use,
        state: ({ state }) => state,
        algorithm: ({ algorithm }) => algorithm,
        generated: ({ madeAt }) => madeAt ?? '–',
        note: ({ state }) => keyStates[state].text,
      }),
    );
  },
});
