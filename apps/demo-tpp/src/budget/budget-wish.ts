import { paymentBody, type PaymentWish, readPayment } from '../payments/payment-wish.js';

/** The codes of documents on which a payment to the budget is made (national standard, Regulatory Report Type). */
export const reportTypes = ['1', '2', '3', '4', '5', '6', '9'] as const;
export type ReportType = (typeof reportTypes)[number];

/** A payment to the budget as the person filled it in. */
export interface BudgetWish extends PaymentWish {
  /** The person who owes the amount: the payer or somebody else. */
  readonly obligedPerson: string;
  readonly reportType: ReportType;
}

export const readBudget = (form: URLSearchParams): BudgetWish => ({
  ...readPayment(form),
  obligedPerson: (form.get('obligedPerson') ?? '').trim(),
  reportType: reportTypes.find((type) => type === form.get('reportType')) ?? '9',
});

/** The body of a payment to the budget: those of a domestic payment, and for whom and on what it is paid. */
export const budgetBody = (wish: BudgetWish): Readonly<Record<string, unknown>> => ({
  ...paymentBody(wish),
  ultimateDebtor: wish.obligedPerson,
  purposeCode: 'GOVT',
  budgetPaymentDetails: {
    regulatoryReportType: wish.reportType,
    obligedPersonName: wish.obligedPerson,
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

/** The form's field that a path of the bank's answer is about. */
export const budgetFieldOf = (path: string): string | undefined =>
  Object.hasOwn(fieldsByPath, path) ? fieldsByPath[path] : undefined;
