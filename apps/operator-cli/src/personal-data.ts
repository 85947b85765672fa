import type { EventResource } from '@xs2a/contracts/published-event';
import type { MasterKeys } from '@xs2a/runtime/master-keys';
import { Refusal } from './command-line/refusal.js';
import type { Connections } from './connections.js';
import { masterKeysSetting } from './master-keys.js';

/** The master keys of a service. Throws {@link Refusal} when they were not given. */
export const mustHaveMasterKeys = async (
  connections: Connections,
  resource: EventResource,
): Promise<MasterKeys> => {
  const keys = await connections.masterKeys(resource);
  const name = masterKeysSetting(resource);
  if (keys === undefined)
    throw new Refusal(`Personal data of ${resource} are encrypted. Set ${name}, or ${name}_FILE.`, 2);
  return keys;
};
