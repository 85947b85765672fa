import { optional, readConfig, relayConfig, serviceConfig, text } from '../config.js';
import { openKeys, plainKeys } from './key-opener.js';
import { transitKeys } from './transit.js';

/**
 * Returns the environment with the master keys in plain text. If they were delivered as ciphertexts, the KMS
 * decrypts them now. `prefix`: the prefix of the settings' names in a program that has the master keys of several
 * services. The decrypted keys are only in the result, not in the environment of the process. Throws ConfigError,
 * or {@link KeysNotOpened} if the KMS does not decrypt them.
 */
export const withMasterKeys = async (env: NodeJS.ProcessEnv, prefix = ''): Promise<NodeJS.ProcessEnv> => {
  const names = {
    keys: `${prefix}MASTER_KEYS`,
    url: `${prefix}MASTER_KEYS_KMS_URL`,
    token: `${prefix}MASTER_KEYS_KMS_TOKEN`,
  };
  const settings = readConfig(
    {
      SANDBOX: serviceConfig.SANDBOX,
      [names.keys]: optional(text()),
      [names.url]: relayConfig.MASTER_KEYS_KMS_URL,
      [names.token]: relayConfig.MASTER_KEYS_KMS_TOKEN,
    },
    env,
  ) as Readonly<Record<string, string | undefined>>;
  const { [names.keys]: keys, [names.url]: url, [names.token]: token } = settings;
  if (keys === undefined) return env;
  const opener = url === undefined ? plainKeys : transitKeys({ url, token });
  return { ...env, [names.keys]: await openKeys(keys, opener) };
};
