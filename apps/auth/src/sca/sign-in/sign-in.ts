import { Injectable } from '@nestjs/common';
import { authenticatePsu } from '@xs2a/contracts/accounts.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { CallClient } from '@xs2a/calls/client';
import { KnownBrowsers } from './known-browsers.js';
import { ScaFailures } from './sca-failures.js';
import { type SignInParty, SignInPlaces, TooManySignIns } from './sign-in-places.js';
import type { PageRequest } from '../page-request.js';

/**
 * The password must be checked within this many milliseconds after the form has arrived. This is less than the
 * gateway's time-out, so that the PSU gets a page that explains what to do.
 */
const checkedWithinMs = 2500;

/** The resource to be signed. Its TPP, and its debtor account or link, determine its share of the slots. */
export type SignInFor = Pick<SignInParty, 'kind' | 'tppId'> & { readonly account: string };

/** True if the form lacks the name or the password. Such a form is no attempt to sign in and counts for no lock. */
export const isEmptySignIn = (form: URLSearchParams): boolean =>
  (form.get('psuId') ?? '').trim() === '' || (form.get('password') ?? '') === '';

/** Signs a PSU in by name and password. */
@Injectable()
export class SignIn {
  constructor(
    private readonly callClient: CallClient,
    private readonly failures: ScaFailures,
    private readonly places: SignInPlaces,
    private readonly browsers: KnownBrowsers,
  ) {}

  /**
   * Returns the id of the PSU. Returns undefined for an unknown PSU, a wrong password or a locked PSU: the same
   * work is done in each case, so neither the result nor the response time reveals which one applies. Throws
   * CallFailed if the bank cannot be reached, and TooManySignIns if it did not answer in time; in both cases
   * nothing has changed.
   */
  async findPsu(
    { form, cookies, receivedAt }: Pick<PageRequest, 'form' | 'cookies' | 'receivedAt'>,
    { account, ...share }: SignInFor,
  ): Promise<string | undefined> {
    const psuId = (form.get('psuId') ?? '').trim();
    const password = form.get('password') ?? '';
    if (!isMaxText(psuId, 64) || password.length > 256) return undefined;
    const withinMs = receivedAt + checkedWithinMs - performance.now();
    if (withinMs <= 0) throw new TooManySignIns();
    // A browser in which this PSU has completed SCA does not wait behind strangers who sign in for the same
    // account.
    const party = this.browsers.find(cookies, psuId) ?? account;
    const { psu } = await this.places.run(
      { ...share, party },
      () => this.callClient.call(authenticatePsu, { psuId, password }),
      withinMs,
    );
    const named = psu?.psuId ?? psuId;
    const who = { psuId: named, browser: this.browsers.find(cookies, named) };
    const mayGoOn = await this.failures.password(who, psu !== undefined);
    return mayGoOn ? psu?.psuId : undefined;
  }
}
