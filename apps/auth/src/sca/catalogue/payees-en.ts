import type { PayeesWords } from './payees-words.js';

export const payeesEn: PayeesWords = {
  label: 'Name check',
  match: 'The name matches the holder of the account.',
  closeMatch: (name) => `The name almost matches. The holder is ${name}. Is this who you mean to pay?`,
  noMatch: 'Warning: the name does not match the holder of the account. The money may go to somebody else.',
  notPossible: 'The name could not be checked. Make sure yourself that the account is the payee’s.',
  liability:
    'The bank pays by IBAN. If you approve all the same, it is not liable for a wrong payee and may be unable to get the money back.',
  optedOut: 'Your company has opted out of payee checks in bulk payments.',
  read: 'I have read the warning',
  approve: 'Approve anyway',
  brief: {
    MATCH: 'the name matches',
    CLOSE_MATCH: 'the name almost matches',
    NO_MATCH: 'the name does not match',
    NOT_POSSIBLE: 'the name was not checked',
    OPTED_OUT: 'no check',
  },
};
