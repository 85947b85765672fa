import { Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import {
  type RevealedField,
  revealConsentField,
  revealPaymentField,
} from '@xs2a/contracts/console/reveal.contract';
import { type ConsentReveal, consentReveals } from '@xs2a/domain/consent/consent-reveal';
import { type PaymentReveal, paymentReveals } from '@xs2a/domain/payment/payment-reveal';
import { ActionRefused } from '../actions/actions.js';
import { type Revealed, type RevealRequest, Reveals } from '../actions/reveals.js';

/** The field of a payment or consent that is to be shown. */
export type WantedField = { readonly id: string; readonly entry: number } & (
  | { readonly kind: 'payment'; readonly field: PaymentReveal }
  | { readonly kind: 'consent'; readonly field: ConsentReveal }
);

/** The fields that can be revealed, with what the page calls them. */
export const fieldNames = {
  payment: {
    debtorIban: 'debtor’s account',
    creditorName: 'creditor’s name',
    creditorAccount: 'creditor’s account',
    remittance: 'remittance information',
    endToEndId: 'end-to-end id',
    psuId: 'PSU-ID',
  },
  consent: { psuId: 'PSU-ID', accounts: 'accounts', corporateId: 'corporate' },
} as const satisfies {
  readonly payment: Readonly<Record<PaymentReveal, string>>;
  readonly consent: Readonly<Record<ConsentReveal, string>>;
};

/** The highest number of an entry that a form may name. */
const maxEntry = 100_000;

/** Reads which field is wanted; undefined if there is no such field. */
export const readWanted = (
  kind: unknown,
  { id, field, entry }: { readonly id: string; readonly field: unknown; readonly entry: unknown },
): WantedField | undefined => {
  if (typeof entry !== 'number' || !Number.isInteger(entry) || entry < 1 || entry > maxEntry)
    return undefined;
  const ofPayment = paymentReveals.find((name) => name === field);
  if (kind === 'payment' && ofPayment !== undefined) return { kind, id, entry, field: ofPayment };
  const ofConsent = consentReveals.find((name) => name === field);
  if (kind === 'consent' && ofConsent !== undefined) return { kind, id, entry, field: ofConsent };
  return undefined;
};

const missing = {
  erased: 'The personal data were erased.',
  unknown: 'Nothing with this id is stored, or it is archived.',
} as const;

/** Reveals one field, for the pages and for the command. */
@Injectable()
export class RevealFields {
  constructor(
    private readonly reveals: Reveals,
    private readonly calls: CallClient,
  ) {}

  async reveal(
    wanted: WantedField,
    request: Pick<RevealRequest, 'actionId' | 'by' | 'reason'>,
  ): Promise<Revealed<readonly string[]>> {
    const { kind, id, field, entry } = wanted;
    const target = `${kind} ${id}: ${field}${entry === 1 ? '' : ` of entry ${entry}`}`;
    return this.reveals.reveal({ ...request, act: 'reveal-field', target }, async () => {
      const found = await this.ask(wanted);
      if ('missing' in found) throw new ActionRefused(missing[found.missing]);
      return { shown: found.values };
    });
  }

  private async ask(wanted: WantedField): Promise<RevealedField> {
    const { id, entry } = wanted;
    return wanted.kind === 'payment'
      ? this.calls.call(revealPaymentField, { id, entry, field: wanted.field })
      : this.calls.call(revealConsentField, { id, entry, field: wanted.field });
  }
}
