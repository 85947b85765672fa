import type { Clock } from '@xs2a/runtime/clock';
import { registerHooks } from 'node:module';
import type { Provider } from 'oidc-provider';

/**
 * oidc-provider has no settings for three things, so they are patched here and nowhere else:
 *
 * 1. its time, which must follow the sandbox clock: {@link replaceProviderTime}, {@link providerFollows};
 * 2. how it compares client secrets, which are stored only as hashes: {@link compareSecretsBy};
 * 3. how it detects that a client assertion or DPoP proof is used a second time: {@link noticeSecondUsesBy}.
 *
 * All three patches were tested with this version. provider-patches.spec.ts fails if another version is installed.
 */
export const patchedVersion = '9.13.3';

const name = 'xs2a.oidc-provider.now-ms';
const slot = Symbol.for(name);
const module = '/oidc-provider/lib/helpers/epoch_time.js';

/**
 * oidc-provider reads the time in a single place, `lib/helpers/epoch_time.js`. This function replaces that file as
 * it is loaded, so that token lifetimes follow the sandbox clock (contract 13). Must be called before
 * oidc-provider is imported; {@link providerFollows} verifies that it took effect.
 */
export const replaceProviderTime = (): void => {
  const source = `const slot = Symbol.for(${JSON.stringify(name)});
export default (date = globalThis[slot]()) => Math.floor(date / 1000);`;
  registerHooks({
    load: (url, context, nextLoad) =>
      url.endsWith(module) ? { format: 'module', source, shortCircuit: true } : nextLoad(url, context),
  });
};

/**
 * Makes oidc-provider use this clock. Throws if the provider's time was not replaced, for example because a new
 * version has moved it.
 */
export const providerFollows = async (clock: Clock): Promise<void> => {
  const { default: epochTime } = (await import(`oidc-provider${module.slice('/oidc-provider'.length)}`)) as {
    readonly default: () => number;
  };
  Reflect.set(globalThis, slot, () => 1000);
  const replaced = epochTime() === 1;
  Reflect.set(globalThis, slot, () => clock.nowMs());
  if (!replaced) throw new Error('oidc-provider no longer reads the time from lib/helpers/epoch_time.js');
};

/**
 * Replaces the comparison of client secrets. A client's `client_secret` is a hash (client-adapter.ts), but
 * oidc-provider would compare it with the secret itself.
 */
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

/**
 * Completely replaces oidc-provider's check for second uses, which first reads and then writes, so that concurrent
 * uses would all pass it.
 */
export const noticeSecondUsesBy = (
  provider: Provider,
  isFirstUse: (issuer: string, jti: string, expiresAtSeconds: number) => Promise<boolean>,
): void => {
  Object.defineProperty(provider.ReplayDetection, 'unique', { value: isFirstUse });
};
