import { Get, Post } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { Initiations } from '../bank/initiations.js';
import type { Market } from '../bank/market.js';
import { choiceField, textField } from '../page/form-fields.js';
import { form, type Page, page, type Redirect } from '../page/layout.js';
import { PageController } from '../page/page-controller.js';
import { bankErrors } from '../page/parts.js';
import {
  readAmount,
  type EnteredPayment,
  findField,
  goOn,
  goOnButtons,
  paymentBody,
  paymentFields,
  readField,
  readPayment,
} from '../page/payment-form.js';
import { type Visit, Visiting } from '../page/visit.js';

/** The documents to which a budget payment can refer (national standard, Regulatory Report Type). */
const reportTypes: Readonly<Record<string, string>> = {
  '1': 'a declaration',
  '2': 'an inspection act',
  '3': 'a penalty decree',
  '4': 'an advance payment',
  '5': 'a property’s batch number',
  '6': 'an enforced collection order',
  '9': 'something else',
};

/** The kinds of identifiers of taxpayers (contract E2.5). */
const taxpayerTypes: Readonly<Record<string, string>> = {
  EIK: 'EIK, of a company',
  EGN: 'EGN, of a person',
  PNF: 'PNF, of a foreigner',
};

interface EnteredBudgetPayment extends EnteredPayment {
  /** The person who owes the amount: the payer or someone else. */
  readonly obligedPerson: string;
  readonly reportType: string;
  readonly taxpayerId: string;
  readonly taxpayerType: string;
}

/** The initial values of the form, with an account of the revenue agency that exists in the sandbox. */
const example: EnteredBudgetPayment = {
  debtorIban: '',
  amount: '',
  creditorName: 'НАП',
  creditorIban: 'BG88BNBG96618000195001',
  remittance: 'Данък общ доход',
  obligedPerson: '',
  reportType: '1',
  taxpayerId: '',
  taxpayerType: 'EIK',
};

/** A budget payment. Once initiated, it is treated like any other payment. */
@PageController('budget')
export class BudgetRoutes {
  constructor(private readonly initiations: Initiations) {}

  @Get()
  form(@Visiting() visit: Visit): Page {
    return budgetPage(visit, example);
  }

  @Post()
  async pay(@Visiting() visit: Visit): Promise<Page | Redirect> {
    const { form, session } = visit;
    const entered = {
      ...readPayment(form),
      obligedPerson: readField(form, 'obligedPerson'),
      reportType: readField(form, 'reportType'),
      taxpayerId: readField(form, 'taxpayerId'),
      taxpayerType: readField(form, 'taxpayerType'),
    };
    const amount = readAmount(visit, entered.amount);
    if (amount === undefined) return budgetPage(visit, entered, []);
    const outcome = await this.initiations.begin(
      visit,
      `/v1/payments/${visit.market.budget}`,
      '/payments',
      budgetBody({ ...entered, amount }, visit.market),
    );
    if ('refused' in outcome) return budgetPage(visit, entered, outcome.refused);
    const { creditorName } = entered;
    session.initiated.set(outcome.id, { kind: 'payment', ...outcome, amount, creditorName });
    return goOn(visit, outcome);
  }
}

/** Builds the request body: the fields of a transfer, and for whom or on which document it is paid. */
const budgetBody = (entered: EnteredBudgetPayment, market: Market): Readonly<Record<string, unknown>> => ({
  ...paymentBody(entered, market),
  ultimateDebtor: entered.obligedPerson,
  purposeCode: 'GOVT',
  budgetPaymentDetails: {
    ...(market.currency === 'EUR'
      ? { taxpayerId: entered.taxpayerId, taxpayerType: entered.taxpayerType }
      : { regulatoryReportType: entered.reportType }),
    obligedPersonName: entered.obligedPerson,
  },
});

const findBudgetField = findField({
  ultimateDebtor: 'obligedPerson',
  'budgetPaymentDetails.obligedPersonName': 'obligedPerson',
  'budgetPaymentDetails.regulatoryReportType': 'reportType',
  'budgetPaymentDetails.taxpayerId': 'taxpayerId',
  'budgetPaymentDetails.taxpayerType': 'taxpayerType',
});

const purposeFields = ({ market }: Visit, entered: EnteredBudgetPayment): Html =>
  market.currency === 'EUR'
    ? html`${textField('taxpayerId', 'Identifier of the taxpayer', entered.taxpayerId, { maxlength: 13 })}
      ${choiceField('taxpayerType', 'Kind of identifier', entered.taxpayerType, taxpayerTypes)}`
    : choiceField('reportType', 'Paid on', entered.reportType, reportTypes);

/**
 * Builds the form page. `refused`: the reasons why the form is shown again, from the bank or from this app's
 * checks.
 */
const budgetPage = (visit: Visit, entered: EnteredBudgetPayment, refused?: readonly TppMessage[]): Page =>
  page(
    visit,
    'Payment to the budget',
    html`<p>We prepare the payment. You check and sign it at your bank.</p>
      ${bankErrors('The bank refused the payment:', refused ?? [], findBudgetField)}
      ${form(
        visit,
        '/budget',
        html`${paymentFields(visit, entered)}
        ${textField('obligedPerson', 'Obliged person', entered.obligedPerson, { maxlength: 70 })}
        ${purposeFields(visit, entered)} ${goOnButtons}`,
      )}`,
    { status: refused === undefined ? 200 : 400 },
  );
