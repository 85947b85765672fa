import { authenticatePsu } from '@xs2a/contracts/accounts.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { Requester } from '@xs2a/calls/requester';
import type { KnownBrowsers } from './known-browsers.js';
import type { PsuAttempts } from './psu-attempts.js';
import type { SignInKind, SignInPlaces } from './sign-in-places.js';
import type { Visit } from '../visit.js';

export interface SignInParts {
  readonly requester: Requester;
  readonly attempts: PsuAttempts;
  readonly places: SignInPlaces;
  readonly browsers: KnownBrowsers;
}

/**
 * Who is it? Undefined for an unknown PSU, a wrong password and a locked PSU alike: the same work is done for each, so
 * neither the answer nor its time tells them apart. Throws CallFailed when the bank cannot be asked, TooManySignIns when too
 * many wait for it.
 */
export const signIn = async (
  { requester, attempts, places, browsers }: SignInParts,
  { form, resource, cookies }: Pick<Visit, 'form' | 'resource' | 'cookies'>,
  kind: SignInKind,
): Promise<string | undefined> => {
  const psuId = (form.get('psuId') ?? '').trim();
  const password = form.get('password') ?? '';
  if (!isMaxText(psuId, 64) || password.length > 256) return undefined;
  const { psu } = await places.run(kind, resource, () =>
    requester.call(authenticatePsu, { psuId, password }),
  );
  const named = psu?.psuId ?? psuId;
  const who = { psuId: named, browser: browsers.find(cookies, named) };
  const mayGoOn = await attempts.password(who, psu !== undefined);
  return mayGoOn ? psu?.psuId : undefined;
};
