import type { MinorAmount } from '../payment/payment-events.js';

/** What a PSU sees on the review page and signs with a code. */
export type SignedContent =
  | {
      readonly kind: 'payment';
      readonly resourceId: string;
      readonly amount: MinorAmount;
      readonly payeeAccount: string;
      readonly payeeName: string;
    }
  | {
      readonly kind: 'consent';
      readonly resourceId: string;
      /** IBANs that it opens. */
      readonly accounts: readonly string[];
    };

/**
 * The one text that stands for what is signed (dynamic linking, RTS on SCA article 5): hash it into the code. Two contents
 * have the same text only when they are the same; the order of the accounts does not matter.
 */
export function otpBinding(content: SignedContent): string {
  if (content.kind === 'consent') {
    return JSON.stringify(['v1', content.kind, content.resourceId, [...new Set(content.accounts)].sort()]);
  }
  const { resourceId, amount, payeeAccount, payeeName } = content;
  return JSON.stringify([
    'v1',
    content.kind,
    resourceId,
    amount.minor,
    amount.currency,
    payeeAccount,
    payeeName,
  ]);
}
