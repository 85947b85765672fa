import type { Clock } from '@xs2a/runtime/clock';
import { registerHooks } from 'node:module';

const name = 'xs2a.oidc-provider.now-ms';
const slot = Symbol.for(name);
const module = '/oidc-provider/lib/helpers/epoch_time.js';

/**
 * oidc-provider takes the time in one place, `lib/helpers/epoch_time.js`, and offers no setting for it. This replaces
 * that one file while it is loaded, so that token lifetimes follow the sandbox clock (contract 13). Call it before
 * oidc-provider is imported; {@link providerFollows} proves that it took effect.
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
  if (!replaced)
    throw new Error('oidc-provider does not take its time from lib/helpers/epoch_time.js any more');
};
