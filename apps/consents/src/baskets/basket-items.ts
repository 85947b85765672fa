import { Injectable } from '@nestjs/common';
import { readAccountFacts } from '@xs2a/contracts/accounts.contract';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { ConsentItem, GroupedConsents } from '@xs2a/contracts/baskets.contract';
import { type GroupedApprovalRef, type ItemOwner, ownersOf } from '@xs2a/domain/basket/basket-items';
import { ibansOf } from '@xs2a/domain/consent/consent-events';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import { isGroupedConsent } from '@xs2a/domain/consent/consent-transitions';
import { openableAccounts } from '@xs2a/domain/consent/decide-consent';
import {
  authoriseGroupedConsent,
  type GroupedApproval,
  groupConsent,
  groupedConsentFailure,
} from '@xs2a/domain/consent/group-consent';
import type { Decision } from '@xs2a/domain/decision';
import type { Failure } from '@xs2a/domain/failure/failures';
import type { RejectionReason } from '@xs2a/domain/payment/payment-events';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { Requester } from '@xs2a/calls/requester';
import { Clock } from '@xs2a/runtime/clock';
import { ConsentApproval } from '../authorise/authorise-consent.js';
import { BankAccounts } from '../authorise/bank-accounts.js';
import { isUuid } from '../store/consent-ids.js';
import { Consents } from '../store/consents.js';
import { ConsentStore } from '../store/consent-store.js';

const actor = 'baskets';

/** Consents as items of signing baskets, which the payments service keeps (contract 10, ADR 40). Every step may be repeated. */
@Injectable()
export class BasketItems {
  constructor(
    private readonly store: ConsentStore,
    private readonly consents: Consents,
    private readonly approval: ConsentApproval,
    private readonly bank: BankAccounts,
    private readonly requester: Requester,
    private readonly clock: Clock,
  ) {}

  /** The TPP's own among these. */
  async read(tppId: string, consentIds: readonly string[]): Promise<readonly ConsentItem[]> {
    const states = [...(await this.states(consentIds)).values()].filter((state) => state.tppId === tppId);
    return Promise.all(states.map(async (state) => itemOf(state, await this.ownersOf(state))));
  }

  /** As they stand now, by their ids. */
  async states(consentIds: readonly string[]): Promise<ReadonlyMap<string, ConsentState>> {
    const loaded = await this.store.loadMany(consentIds.filter(isUuid));
    return new Map([...loaded].map(([id, { state }]) => [id, this.consents.asOfNow(state)]));
  }

  /** One after the other in the order of their ids, so that of two baskets with several in common one gets all. */
  async group({
    tppId,
    basketId,
    consentIds,
  }: GroupedConsents): Promise<(Failure & { readonly consentId: string }) | undefined> {
    for (const consentId of [...consentIds].sort()) {
      const refused = await this.refusalOf(consentId, (state) => groupConsent(state, { basketId, tppId }));
      if (refused !== undefined) return { ...refused, consentId };
    }
    return undefined;
  }

  /** Each of them; throws CallFailed when the store could not decide about one. */
  async changeEach(
    consentIds: readonly string[],
    decide: (state: ConsentState, consentId: string) => Decision<ConsentEvent>,
  ): Promise<void> {
    const changed = await this.store.changeMany(consentIds, decide, { actor });
    for (const result of changed.values())
      if ('refused' in result && result.refused.failure !== 'resourceUnknown')
        throw new CallFailed([result.refused]);
  }

  /** Why the PSU cannot authorise one of them. */
  async failureOf({
    consentIds,
    authorisationId,
    psuId,
  }: GroupedConsents & GroupedApprovalRef): Promise<RejectionReason | undefined> {
    const psuAccounts = await this.bank.ofPsu(psuId);
    const now = this.clock.now();
    const states = await this.states(consentIds);
    return [...states.values()]
      .map((state) => groupedConsentFailure(state, { authorisationId, psuId, psuAccounts, now }))
      .find((reason) => reason !== undefined);
  }

  async accounts(consentIds: readonly string[], psuId: string): Promise<readonly PsuAccount[]> {
    const states = [...(await this.states(consentIds)).values()].filter((state) => state.psuPicksAccounts);
    const own = await this.bank.ofPsu(psuId);
    return states.reduce<readonly (typeof own)[number][]>(
      (openable, state) => openableAccounts(state, openable),
      own,
    );
  }

  /** Those that are still to be authorised; then each ends the older ones that it replaces, as one that was authorised alone. */
  async authorise({
    basketId,
    consentIds,
    signatures,
    chosenIbans,
    signedAt,
  }: GroupedConsents & {
    readonly signatures: readonly GroupedApprovalRef[];
    readonly chosenIbans?: readonly string[];
    readonly signedAt: string;
  }): Promise<void> {
    const approvals: GroupedApproval[] = await Promise.all(
      signatures.map(async ({ authorisationId, psuId }) => ({
        authorisationId,
        psuId,
        psuAccounts: await this.bank.ofPsu(psuId),
      })),
    );
    await this.changeEach(consentIds, (state) =>
      authoriseGroupedConsent(state, { basketId, approvals, chosenIbans, signedAt }),
    );
    for (const state of (await this.states(consentIds)).values())
      await this.approval.statusAfterReplacing(state);
  }

  private async refusalOf(
    consentId: string,
    decide: (state: ConsentState) => Decision<ConsentEvent>,
  ): Promise<Failure | undefined> {
    const result = (await this.store.changeMany([consentId], decide, { actor })).get(consentId);
    if (result === undefined) return { failure: 'itemUnknown' };
    if (!('refused' in result)) return undefined;
    if (result.refused.failure === 'dependencyDown') throw new CallFailed([result.refused]);
    return result.refused.failure === 'resourceUnknown' ? { failure: 'itemUnknown' } : result.refused;
  }

  private async ownersOf({
    corporateId,
    access,
    psuPicksAccounts,
  }: ConsentState): Promise<readonly ItemOwner[]> {
    if (corporateId !== undefined) return [{ corporateId }];
    if (psuPicksAccounts) return [];
    const known = await Promise.all(
      ibansOf(access).map(async (iban) => (await this.requester.call(readAccountFacts, { iban })).account),
    );
    return known.flatMap(ownersOf);
  }
}

const itemOf = (state: ConsentState, owners: readonly ItemOwner[]): ConsentItem => ({
  consentId: state.consentId,
  consentStatus: state.status,
  isGrouped: isGroupedConsent(state),
  ...(state.namedPsuId === undefined ? {} : { namedPsuId: state.namedPsuId }),
  owners,
  signaturesRequired: state.signaturesRequired,
  expiresAt: state.expiresAt,
  access: state.access,
  psuPicksAccounts: state.psuPicksAccounts,
  recurringIndicator: state.recurringIndicator,
  validUntil: state.validUntil,
  frequencyPerDay: state.frequencyPerDay,
});
