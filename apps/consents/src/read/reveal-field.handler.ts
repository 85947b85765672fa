import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { mustBeId } from '@xs2a/calls/checks';
import { QueryOf } from '@xs2a/calls/handlers';
import { type RevealedField, revealConsentField } from '@xs2a/contracts/console/reveal.contract';
import { revealableConsentFields } from '@xs2a/domain/consent/consent-reveal';
import { callFailed } from '@xs2a/domain/failure/failed';
import { storedValues } from '@xs2a/domain/reveal';
import { isErased } from '@xs2a/resources/erased';
import { POOL } from '@xs2a/runtime/tokens';
import type { Pool } from 'pg';
import { CONSENT_STORE, type ConsentStore } from '../store/consent-store.js';

/** One encrypted field of a consent, for the console, which has recorded who asks and why. */
export class RevealField extends QueryOf(revealConsentField) {}

@QueryHandler(RevealField)
export class RevealFieldHandler implements IQueryHandler<RevealField> {
  constructor(
    @Inject(POOL) private readonly pool: Pool,
    @Inject(CONSENT_STORE) private readonly store: ConsentStore,
  ) {}

  async execute({ request: { id, field, entry = 1 } }: RevealField): Promise<RevealedField> {
    mustBeId(id);
    const wanted = revealableConsentFields.get(field);
    if (wanted === undefined)
      throw callFailed('fieldMalformed', 'field', `Send ${[...revealableConsentFields.keys()].join(', ')}.`);
    if (entry !== 1) throw callFailed('fieldMalformed', 'entry', 'A consent has no entries.');
    const consent = await this.store.load(id);
    if (consent === undefined) return { missing: (await isErased(this.pool, id)) ? 'erased' : 'unknown' };
    return { values: storedValues(wanted.read(consent.state, entry)) };
  }
}
