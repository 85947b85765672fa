import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import type { AuthorisationCalls, Identified, SignatureGiven } from '@xs2a/contracts/authorisations.contract';
import type { Authorisation, NewAuthorisation } from '@xs2a/domain/sca/authorisations';
import type { Appended, IdempotencyRecord } from '@xs2a/event-store/streams/event-store';

type Calls<Owned, Linked, Shown, Status> = AuthorisationCalls<Owned, Linked, Shown, Status>;

/**
 * One kind of resource that PSUs sign, as `authorisation-handlers.ts` uses it. Every method throws CallFailed
 * `resourceUnknown` (consents: `consentUnknown`) if the resource does not exist, belongs to another TPP, or has no
 * such authorisation.
 */
export interface Signable<Owned, Linked, Shown, Status> {
  /** Throws corporateIdUnknown. */
  mustKnowCorporate(corporateId: string): Promise<void>;
  /** Returns the answer that is already stored for an idempotency key. */
  findEarlierAnswer(
    record: Omit<IdempotencyRecord, 'answer'>,
  ): Promise<Exclude<Appended, 'appended' | 'conflict'> | undefined>;
  /** Throws if the resource is not this TPP's, or if the corporate cannot sign it. */
  mustBeOwned(owned: Owned, psuCorporateId: string | undefined): Promise<void>;
  /** Starts the authorisation. */
  start(
    owned: Owned,
    input: NewAuthorisation & { readonly psuCorporateId?: string },
    idempotencyRecord: IdempotencyRecord | undefined,
  ): Promise<Exclude<Appended, 'conflict'>>;
  list(owned: Owned): Promise<readonly Authorisation[]>;
  read(linked: Linked): Promise<Shown>;
  identify(request: RequestOf<Calls<Owned, Linked, Shown, Status>['identify']>): Promise<Identified>;
  /** Absent if the PSU never chooses accounts. */
  listAccounts?(
    request: RequestOf<Calls<Owned, Linked, Shown, Status>['accounts']>,
  ): Promise<readonly PsuAccount[]>;
  sign(request: RequestOf<Calls<Owned, Linked, Shown, Status>['sign']>): Promise<SignatureGiven<Status>>;
  reject(request: RequestOf<Calls<Owned, Linked, Shown, Status>['reject']>): Promise<Status>;
}
