import { purposeCodes } from '@xs2a/domain/payment/fields/purpose-codes';
import type { CodeWords } from './code-words.js';

export const codesEn: CodeWords = {
  serviceLevel: {
    SEPA: 'SEPA payment',
    URGP: 'urgent, through the RTGS system (RINGS)',
    NURG: 'through the national clearing system (BISERA)',
    SDVA: 'the payee has the money the same day',
    NEXT: 'the payee has the money the next working day',
    SPOT: 'the payee has the money on the second working day',
  },
  chargeBearer: {
    DEBT: 'you pay all of them',
    CRED: 'the payee pays all of them',
    SHAR: 'you pay those of your bank, the payee those of theirs',
    SLEV: 'as SEPA rules say: each pays those of their own bank',
  },
  reportType: {
    '1': 'declaration',
    '2': 'inspection act',
    '3': 'penalty decree',
    '4': 'advance payment',
    '5': 'batch property number',
    '6': 'enforced collection order',
    '9': 'others',
  },
  taxpayerType: {
    EGN: 'Personal identification number',
    EIK: 'Company identification number',
    PNF: 'Foreign person’s number',
    LNC: 'Foreign person’s number',
  },
  category: {
    '110000': 'tax authority',
    '551111': 'social security',
    '561111': 'health insurance fund',
    '581111': 'supplementary pension',
  },
  purpose: Object.fromEntries(purposeCodes.map(([code, , meaning]) => [code, meaning])),
};
