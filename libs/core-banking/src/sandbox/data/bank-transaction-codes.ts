/** ISO 20022 bank transaction codes (domain-family-subfamily) used in this bank's entries. */
export const bankTransactionCodes = {
  transferOut: 'PMNT-ICDT-DMCT',
  transferIn: 'PMNT-RCDT-DMCT',
  salary: 'PMNT-RCDT-SALA',
  payroll: 'PMNT-ICDT-SALA',
  card: 'PMNT-CCRD-POSD',
  cashWithdrawal: 'PMNT-CCRD-CWDL',
  cashDeposit: 'PMNT-CNTR-CDPT',
  directDebit: 'PMNT-RDDT-PMDD',
  interest: 'ACMT-MCOP-INTR',
  charge: 'ACMT-MDOP-CHRG',
  conversion: 'ACMT-MDOP-OTHR',
} as const;
export type BankTransactionCode = (typeof bankTransactionCodes)[keyof typeof bankTransactionCodes];
