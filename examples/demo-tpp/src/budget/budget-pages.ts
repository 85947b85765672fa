import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { goOnButtons } from '../baskets/go-on.js';
import { catalogues } from '../catalogue/catalogues.js';
import { amountField, bankFaults, choiceField, debtorField, textField } from '../page/form-fields.js';
import { form, page, type View } from '../page/page.js';
import type { KnownAccount } from '../page/sessions.js';
import { budgetField, type EnteredBudgetPayment, reportTypes } from './entered-budget-payment.js';

/** The values in the empty form: an account of the revenue agency, as the sandbox knows it. */
export const exampleBudget: EnteredBudgetPayment = {
  debtorIban: '',
  amount: '',
  creditorName: 'НАП',
  creditorIban: 'BG88BNBG96618000195001',
  remittance: 'Данък общ доход',
  obligedPerson: '',
  reportType: '1',
};

export const budgetPage = (
  view: View,
  accounts: readonly KnownAccount[],
  entered: EnteredBudgetPayment,
  refused: readonly TppMessage[] = [],
): Html => {
  const { budget, pay } = catalogues[view.language];
  return page(
    view,
    budget.title,
    html`<p>${pay.lead}</p>
      ${bankFaults(view, refused, budgetField)}
      ${form(
        view,
        '/budget',
        html`${debtorField(pay.from, accounts, entered.debtorIban)}
        ${textField('creditorName', pay.payee, entered.creditorName, { maxlength: 70 })}
        ${textField('creditorIban', pay.payeeAccount, entered.creditorIban, { maxlength: 34 })}
        ${amountField(pay.amount, entered.amount)} ${textField('remittance', pay.reason, entered.remittance)}
        ${textField('obligedPerson', budget.obligedPerson, entered.obligedPerson, { maxlength: 70 })}
        ${choiceField(
          'reportType',
          budget.document,
          entered.reportType,
          reportTypes.map((value) => ({ value, text: budget.documents[value] })),
        )}
        ${goOnButtons(view)}`,
      )}`,
  );
};
