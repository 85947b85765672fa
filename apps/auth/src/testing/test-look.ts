import { makeProfile } from '@xs2a/domain/testing/profiles';
import { resolve } from 'node:path';
import { type BankLook, readBankLook } from '../sca/pages/look/bank-look.js';

const file = resolve(import.meta.dirname, '../../../../deploy/profiles/sandbox.json');

/** The look of the sandbox's pages; with `change`, that of a bank whose profile differs in these members. */
export const makeLook = (change: object = {}, name: 'sandbox' | 'production' = 'sandbox'): BankLook => {
  const { bank } = makeProfile(name);
  return readBankLook(makeProfile(name, { bank: { ...bank, ...change } }), {
    BASE_URL: 'https://api.bank.example',
    PAGES_URL: 'https://pages.bank.example',
    PROFILE_FILE: file,
  });
};
