import type { EventResource } from '@xs2a/contracts/published-event';
import { masterKeys, optional, readConfig } from '@xs2a/runtime/config';
import { withMasterKeys } from '@xs2a/runtime/kms/open-master-keys';
import type { MasterKeys } from '@xs2a/runtime/master-keys';

/** The setting with the master keys of a service, for those who may see personal data. */
export const masterKeysSetting = (resource: EventResource): string => `${resource.toUpperCase()}_MASTER_KEYS`;

/**
 * The master keys of a service; undefined when they were not given. A KMS is asked where the settings name one.
 * Throws ConfigError, and KeysNotOpened when the KMS does not open them.
 */
export const readMasterKeys = async (resource: EventResource): Promise<MasterKeys | undefined> => {
  const name = masterKeysSetting(resource);
  const env = await withMasterKeys(process.env, `${resource.toUpperCase()}_`);
  return readConfig({ [name]: optional(masterKeys()) }, env)[name];
};
