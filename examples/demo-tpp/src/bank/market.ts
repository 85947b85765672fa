/** What this app sends to a bank, by the currency in which the bank's customers have their accounts. */
export interface Market {
  readonly currency: 'BGN' | 'EUR';
  /** The payment product of transfers, single and bulk. */
  readonly transfer: string;
  /** The payment product of payments to the budget. */
  readonly budget: string;
  /** Further members of a transfer's body. */
  readonly transferFields: Readonly<Record<string, unknown>>;
}

export const markets: Readonly<Record<Market['currency'], Market>> = {
  BGN: {
    currency: 'BGN',
    transfer: 'domestic-credit-transfer-BGN',
    budget: 'domestic-budget-transfer-BGN',
    transferFields: { serviceLevel: 'NURG' },
  },
  EUR: {
    currency: 'EUR',
    transfer: 'SEPA-Credit-Transfer',
    budget: 'domestic-budget-transfer-EUR',
    transferFields: {},
  },
};
