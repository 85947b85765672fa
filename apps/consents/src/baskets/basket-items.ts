import { Inject, Injectable } from '@nestjs/common';
import type { ConsentEvent } from '@xs2a/domain/consent/consent-events';
import type { ConsentState } from '@xs2a/domain/consent/consent-state';
import type { Decision } from '@xs2a/domain/decision';
import { CallFailed } from '@xs2a/domain/failure/failed';
import type { Failure } from '@xs2a/domain/failure/failures';
import { isUuid } from '@xs2a/domain/text/uuid';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';
import { Consents } from '../store/consents.js';

const actor = 'baskets';
type Decide = (state: ConsentState, consentId: string) => Decision<ConsentEvent>;

/** Reads and changes the consents that are items of signing baskets (ADR 40). */
@Injectable()
export class BasketItems {
  constructor(
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
    private readonly consents: Consents,
  ) {}

  /** Returns the current consents by id. Omits ids for which there is no consent. */
  async states(consentIds: readonly string[]): Promise<ReadonlyMap<string, ConsentState>> {
    const loaded = await this.store.many.load(consentIds.filter(isUuid));
    return new Map([...loaded].map(([id, { state }]) => [id, this.consents.asOfNow(state)]));
  }

  /**
   * Changes each of the consents. Throws CallFailed if the store could not decide on one of them. Skips consents
   * that do not exist.
   */
  async changeEach(consentIds: readonly string[], decide: Decide): Promise<void> {
    const changed = await this.store.many.change(consentIds, decide, { actor });
    for (const result of changed.values())
      if ('refused' in result && result.refused.failure !== 'resourceUnknown')
        throw new CallFailed([result.refused]);
  }

  /**
   * Changes one consent; returns the failure if the change is refused. Throws CallFailed if the store could not
   * decide.
   */
  async changeOne(consentId: string, decide: Decide): Promise<Failure | undefined> {
    const result = (await this.store.many.change([consentId], decide, { actor })).get(consentId);
    if (result === undefined) return { failure: 'itemUnknown' };
    if (!('refused' in result)) return undefined;
    if (result.refused.failure === 'dependencyDown') throw new CallFailed([result.refused]);
    return result.refused.failure === 'resourceUnknown' ? { failure: 'itemUnknown' } : result.refused;
  }
}
