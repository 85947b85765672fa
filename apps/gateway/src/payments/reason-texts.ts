import { type ReasonCode, type ReasonTexts, textOfCode } from '@xs2a/domain/payment/instant/instant-answer';

const notCharged = 'The account was not charged.';

/** What an ISO 20022 reason code of a rejected instant payment means, for its TPP (euro contract, E3.2). */
const texts: ReasonTexts = {
  AM04: 'The account did not cover the payment.',
  AM14: 'The amount is above the limit that the PSU has set for instant payments.',
  AC06: 'The debtor account is blocked or closed.',
  AC01: 'The payee’s bank does not know the account.',
  AC04: 'The payee’s account is closed.',
  AG01: 'The payee’s account at this bank cannot be credited.',
  AB05: 'The payee’s bank did not answer in time.',
  AB08: 'The payee’s bank is not available.',
  AB11: 'This bank could not send the payment in time.',
  MS03: 'The payee’s bank refused the payment without giving a reason.',
  other: 'The payee’s bank could not credit the account.',
};

/** The text of any code, also of one that only the payee's bank knows. */
export const textOfReason = (code: ReasonCode): string => `${textOfCode(texts, code)} ${notCharged}`;
