import { authenticatePsu } from '@xs2a/contracts/accounts.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { CallClient } from '@xs2a/calls/client';
import type { KnownBrowsers } from './known-browsers.js';
import type { ScaFailures } from './sca-failures.js';
import type { SignInKind, SignInPlaces } from './sign-in-places.js';
import type { PageRequest } from '../page-request.js';

export interface SignInParts {
  readonly callClient: CallClient;
  readonly failures: ScaFailures;
  readonly places: SignInPlaces;
  readonly browsers: KnownBrowsers;
}

/**
 * Finds the PSU by name and password. Undefined for an unknown PSU, a wrong password and a locked PSU alike: the same work is done for each, so
 * neither the answer nor its time tells them apart. Throws CallFailed when the bank cannot be asked, TooManySignIns when too
 * many wait for it.
 */
export const signIn = async (
  { callClient, failures, places, browsers }: SignInParts,
  { form, resource, cookies }: Pick<PageRequest, 'form' | 'resource' | 'cookies'>,
  kind: SignInKind,
): Promise<string | undefined> => {
  const psuId = (form.get('psuId') ?? '').trim();
  const password = form.get('password') ?? '';
  if (!isMaxText(psuId, 64) || password.length > 256) return undefined;
  const { psu } = await places.run(kind, resource, () =>
    callClient.call(authenticatePsu, { psuId, password }),
  );
  const named = psu?.psuId ?? psuId;
  const who = { psuId: named, browser: browsers.find(cookies, named) };
  const mayGoOn = await failures.password(who, psu !== undefined);
  return mayGoOn ? psu?.psuId : undefined;
};
