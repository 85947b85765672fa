import { type Html, html } from '@xs2a/html/html';
import type { TppMessage } from '../bank/bank.js';
import { goOnButtons } from '../baskets/go-on.js';
import { catalogues } from '../catalogue/catalogues.js';
import { amountField, bankFaults, choiceField, debtorField, textField } from '../page/form-fields.js';
import { form, page, type View } from '../page/page.js';
import type { KnownAccount } from '../page/sessions.js';
import { budgetFieldOf, type BudgetWish, reportTypes } from './budget-wish.js';

/** The values in the empty form: an account of the revenue agency, as the sandbox knows it. */
export const exampleBudget: BudgetWish = {
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
  wish: BudgetWish,
  refused: readonly TppMessage[] = [],
): Html => {
  const { budget, pay } = catalogues[view.language];
  return page(
    view,
    budget.title,
    html`<p>${pay.lead}</p>
      ${bankFaults(view, refused, budgetFieldOf)}
      ${form(
        view,
        '/budget',
        html`${debtorField(pay.from, accounts, wish.debtorIban)}
        ${textField('creditorName', pay.payee, wish.creditorName, { maxlength: 70 })}
        ${textField('creditorIban', pay.payeeAccount, wish.creditorIban, { maxlength: 34 })}
        ${amountField(pay.amount, wish.amount)} ${textField('remittance', pay.reason, wish.remittance)}
        ${textField('obligedPerson', budget.obligedPerson, wish.obligedPerson, { maxlength: 70 })}
        ${choiceField(
          'reportType',
          budget.document,
          wish.reportType,
          reportTypes.map((value) => ({ value, text: budget.documents[value] })),
        )}
        ${goOnButtons(view)}`,
      )}`,
  );
};
