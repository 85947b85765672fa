import type { Clock } from '@xs2a/runtime/clock';
import { registerHooks } from 'node:module';
import type { Provider } from 'oidc-provider';

/**
 * oidc-provider has no setting for three things, so they are changed here, and nowhere else:
 *
 * 1. its time, which follows the sandbox clock: {@link replaceProviderTime}, {@link providerFollows};
 * 2. how it compares client secrets, of which only hashes are stored: {@link compareSecretsBy};
 * 3. how it notices that a client assertion or DPoP proof is used twice: {@link noticeSecondUsesBy}.
 *
 * All three were tried on this version. provider-patches.spec.ts fails when another one is installed.
 */
export const patchedVersion = '9.13.3';

const name = 'xs2a.oidc-provider.now-ms';
const slot = Symbol.for(name);
const module = '/oidc-provider/lib/helpers/epoch_time.js';

/**
 * oidc-provider takes the time in one place, `lib/helpers/epoch_time.js`. This replaces that one file while it is loaded, so
 * that token lifetimes follow the sandbox clock (contract 13). Call it before oidc-provider is imported;
 * {@link providerFollows} proves that it took effect.
 */
export const replaceProviderTime = (): void => {
  const source = `const slot = Symbol.for(${JSON.stringify(name)});
export default (date = globalThis[slot]()) => Math.floor(date / 1000);`;
  registerHooks({
    load: (url, context, nextLoad) =>
      url.endsWith(module) ? { format: 'module', source, shortCircuit: true } : nextLoad(url, context),
  });
};

/** Makes oidc-provider read this clock. Throws when its time was not replaced: a new version may have moved it. */
export const providerFollows = async (clock: Clock): Promise<void> => {
  const { default: epochTime } = (await import(`oidc-provider${module.slice('/oidc-provider'.length)}`)) as {
    readonly default: () => number;
  };
  Reflect.set(globalThis, slot, () => 1000);
  const replaced = epochTime() === 1;
  Reflect.set(globalThis, slot, () => clock.nowMs());
  if (!replaced) throw new Error('oidc-provider no longer reads the time from lib/helpers/epoch_time.js');
};

/** `client_secret` of a client is a hash (client-adapter.ts); oidc-provider would compare it with the secret itself. */
export const compareSecretsBy = (
  provider: Provider,
  isSecret: (secret: string, hash: string) => boolean,
): void => {
  provider.Client.prototype.compareClientSecret = function compareWithHash(
    this: { readonly clientSecret?: string },
    secret: string,
  ): boolean {
    return this.clientSecret !== undefined && isSecret(secret, this.clientSecret);
  };
};

/** oidc-provider reads first and writes then, so that several uses at the same time pass; its check is replaced as a whole. */
export const noticeSecondUsesBy = (
  provider: Provider,
  isFirstUse: (issuer: string, jti: string, expiresAtSeconds: number) => Promise<boolean>,
): void => {
  Object.defineProperty(provider.ReplayDetection, 'unique', { value: isFirstUse });
};
