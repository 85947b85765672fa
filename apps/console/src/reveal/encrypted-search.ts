import { Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import {
  type FoundPayments,
  type PaymentSearch,
  searchPayments,
} from '@xs2a/contracts/console/payment-search.contract';
import { PsuTags } from '../actions/psu-tags.js';
import { type Revealed, type RevealRequest, Reveals } from '../actions/reveals.js';

/** A search in encrypted data, without who asks. */
export type WantedPayments = Omit<PaymentSearch, 'operator' | 'reason'>;

/** What the record calls the members of a search. Their values are personal data, and are not recorded. */
const memberNames = {
  lastFour: 'last four characters',
  payee: 'payee',
  endToEndId: 'end-to-end id',
} as const;

/** Finds payments by encrypted data, for the page and for the command. Each search counts and is recorded like a revealed field. */
@Injectable()
export class EncryptedSearch {
  constructor(
    private readonly reveals: Reveals,
    private readonly calls: CallClient,
    private readonly tags: PsuTags,
  ) {}

  async find(
    wanted: WantedPayments,
    request: Pick<RevealRequest, 'actionId' | 'by' | 'reason'>,
  ): Promise<Revealed<FoundPayments>> {
    const { by, reason } = request;
    const operator = 'operator' in by ? by.operator : by.name;
    return this.reveals.reveal(
      { ...request, act: 'search-encrypted', target: this.targetOf(wanted) },
      async () => {
        const shown = await this.calls.call(searchPayments, { ...wanted, operator, reason });
        return { shown, outcome: outcomeOf(shown) };
      },
    );
  }

  private targetOf({ tppId, psuId, day, ...wanted }: WantedPayments): string {
    const of = psuId === undefined ? `TPP ${tppId}` : this.tags.of(psuId);
    const by = Object.entries(memberNames).flatMap(([name, text]) =>
      wanted[name as keyof typeof memberNames] === undefined ? [] : [text],
    );
    return `payments of ${of} on ${day} by ${by.join(', ')}`;
  }
}

const whole = (count: number): string => count.toLocaleString('en');

const outcomeOf = ({ searched, candidates, found }: FoundPayments): string =>
  `Searched ${whole(searched)} of ${whole(candidates)}, found ${whole(found)}.`;
