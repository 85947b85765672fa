import { AccountsBaseline1795700000000 } from './1-baseline.js';
import { EuroCustomers1795875600000 } from './2-euro-customers.js';
import { PayeeLimits1795885200000 } from './3-payee-limits.js';
import { InstantPayments1795886100000 } from './4-instant-payments.js';
import { SwitchOver1795887000000 } from './5-switch-over.js';
import { ReasonCodes1795887600000 } from './6-reason-codes.js';
import { PayeeQuestions1795888800000 } from './7-payee-questions.js';
import { CreatedPsus1795889400000 } from './8-created-psus.js';
import { CorporateTpp1795896000000 } from './9-corporate-tpp.js';
import { CreatorOfAPsu1795900000000 } from './10-creator-of-a-psu.js';

export const schema = 'accounts';
export const migrations = [
  AccountsBaseline1795700000000,
  EuroCustomers1795875600000,
  PayeeLimits1795885200000,
  InstantPayments1795886100000,
  SwitchOver1795887000000,
  ReasonCodes1795887600000,
  PayeeQuestions1795888800000,
  CreatedPsus1795889400000,
  CorporateTpp1795896000000,
  CreatorOfAPsu1795900000000,
];
