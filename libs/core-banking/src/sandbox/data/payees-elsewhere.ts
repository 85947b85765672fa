import type { AccountHolder } from '@xs2a/domain/payee/compare-holders';
import type { PayeeAnswer } from '../../port/payees.js';

/** How a made-up account at another bank answers, whatever the name. */
export type FixedPayee = PayeeAnswer & { readonly afterMs?: number };
const match = { verdict: 'MATCH' } as const;

/** Accounts whose answer does not depend on the name (contract 13). Those from …201 on differ by instant payments. */
export const fixedPayees: Readonly<Record<string, FixedPayee | 'silent'>> = {
  BG14XSBV92001000000101: match,
  BG84XSBV92001000000102: { verdict: 'CLOSE_MATCH', name: 'Пример Примеров' },
  BG57XSBV92001000000103: { verdict: 'NO_MATCH' },
  BG30XSBV92001000000104: { verdict: 'NOT_POSSIBLE', reason: 'bank-not-reached' },
  BG03XSBV92001000000105: { ...match, afterMs: 2000 },
  BG73XSBV92001000000106: 'silent',
  BG30XSBV92001000000201: match,
  BG03XSBV92001000000202: match,
  BG73XSBV92001000000203: match,
  BG46XSBV92001000000204: match,
  BG19XSBV92001000000205: match,
};

/** The holders of made-up accounts at other banks, with whom names are compared. */
export const payeesElsewhere: Readonly<Record<string, AccountHolder>> = {
  BG26RZBB91551023456789: { kind: 'person', name: 'Петър Иванов' },
  DE89370400440532013000: { kind: 'person', name: 'Max Mustermann' },
  BG88BNBG96618000195001: { kind: 'company', names: ['НАП'] },
  BG39BNBG96613100195002: { kind: 'company', names: ['Общинска администрация'] },
  BG53XSBV92008400000001: { kind: 'company', names: ['Община Примерна'] },
};
