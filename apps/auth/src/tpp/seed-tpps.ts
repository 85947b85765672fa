import { isMaxText } from '@xs2a/domain/text/text';
import { readFileSync } from 'node:fs';
import { newTpp } from './new-tpp.js';
import { hashSecret, type TppRegistry } from './tpp-registry.js';

const readTpps = (file: string): readonly Record<string, unknown>[] => {
  const { tpps } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly tpps?: readonly Record<string, unknown>[];
  };
  return tpps ?? [];
};

/** Returns the client ids of the sandbox fixtures. Throws if the file is not JSON. */
export const fixtureClientIds = (file: string): ReadonlySet<string> =>
  new Set(readTpps(file).map(({ clientId }) => String(clientId)));

/**
 * Registers the TPPs of the sandbox fixtures (contract 13) and leaves existing ones unchanged. Throws if the file
 * is invalid.
 */
export const seedTpps = async (
  registry: TppRegistry,
  file: string,
  clock: { nowMs(): number },
): Promise<void> => {
  for (const [at, { clientId, clientSecret, ...tpp }] of readTpps(file).entries()) {
    const checked = await newTpp(tpp, { isBank: false, clock });
    if ('failures' in checked || !isMaxText(clientId, 70) || !isMaxText(clientSecret, 200))
      throw new Error(`SANDBOX_FIXTURES: tpps[${at}] is not a TPP`);
    await registry.insert({
      ...checked.valid,
      clientId,
      status: 'active',
      version: 1,
      authMethod: 'client_secret_basic',
      secretHash: hashSecret(clientSecret),
    });
  }
};
