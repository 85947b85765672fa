import { paymentBody, type EnteredPayment, readPayment } from '../payments/entered-payment.js';

/** The codes of documents on which a payment to the budget is made (national standard, Regulatory Report Type). */
export const reportTypes = ['1', '2', '3', '4', '5', '6', '9'] as const;
export type ReportType = (typeof reportTypes)[number];

/** A payment to the budget as the person filled it in. */
export interface EnteredBudgetPayment extends EnteredPayment {
  /** The person who owes the amount: the payer or another person. */
  readonly obligedPerson: string;
  readonly reportType: ReportType;
}

export const readBudget = (form: URLSearchParams): EnteredBudgetPayment => ({
  ...readPayment(form),
  obligedPerson: (form.get('obligedPerson') ?? '').trim(),
  reportType: reportTypes.find((type) => type === form.get('reportType')) ?? '9',
});

/** The body of a payment to the budget: the fields of a domestic payment, the obliged person and the document. */
export const budgetBody = (entered: EnteredBudgetPayment): Readonly<Record<string, unknown>> => ({
  ...paymentBody(entered),
  ultimateDebtor: entered.obligedPerson,
  purposeCode: 'GOVT',
  budgetPaymentDetails: {
    regulatoryReportType: entered.reportType,
    obligedPersonName: entered.obligedPerson,
  },
});

const fieldsByPath: Readonly<Record<string, string>> = {
  'debtorAccount.iban': 'debtorIban',
  debtorAccount: 'debtorIban',
  'creditorAccount.iban': 'creditorIban',
  creditorAccount: 'creditorIban',
  creditorName: 'creditorName',
  'instructedAmount.amount': 'amount',
  remittanceInformationUnstructured: 'remittance',
  ultimateDebtor: 'obligedPerson',
  'budgetPaymentDetails.obligedPersonName': 'obligedPerson',
  'budgetPaymentDetails.regulatoryReportType': 'reportType',
};

/** The form's field for a path in the bank's answer. */
export const budgetField = (path: string): string | undefined =>
  Object.hasOwn(fieldsByPath, path) ? fieldsByPath[path] : undefined;
