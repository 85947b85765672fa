import type { CurrencyExchange } from '@xs2a/contracts/accounts.contract';
import { levaPerEuro } from '@xs2a/domain/money/lev-conversion';

/** The fixed rate as shown at entries: leva into euro, in leva per euro, since the day on which the lev ended. */
export const levExchange = (levEnd: string): CurrencyExchange => ({
  sourceCurrency: 'BGN',
  targetCurrency: 'EUR',
  unitCurrency: 'EUR',
  exchangeRate: levaPerEuro,
  quotationDate: levEnd,
});
