import { Injectable } from '@nestjs/common';
import { authenticatePsu } from '@xs2a/contracts/accounts.contract';
import { isMaxText } from '@xs2a/domain/text/text';
import { CallClient } from '@xs2a/calls/client';
import { KnownBrowsers } from './known-browsers.js';
import { ScaFailures } from './sca-failures.js';
import { type SignInParty, SignInPlaces, TooManySignIns } from './sign-in-places.js';
import type { PageRequest } from '../page-request.js';

/**
 * Milliseconds from the arrival of the form within which the password must be checked. Less than the gateway's
 * time-out, so that the PSU gets a page that says what to do.
 */
const checkedWithinMs = 2500;

/** The resource to be signed, which decides the share of places: by its TPP, and by its debtor account or its link. */
export type SignInFor = Pick<SignInParty, 'kind' | 'tppId'> & { readonly account: string };

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
   * Returns the id of the PSU. Undefined for an unknown PSU, a wrong password and a locked PSU alike: the same work is done for
   * each, so neither the answer nor its time distinguishes them. Throws CallFailed when the bank cannot be asked, TooManySignIns
   * when it did not answer in time: then nothing has changed.
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
    // A browser in which this PSU has completed SCA does not wait behind strangers who sign in for the same account.
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
