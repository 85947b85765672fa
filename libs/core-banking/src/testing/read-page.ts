import type { TransactionEntry } from '@xs2a/contracts/accounts.contract';
import type { Rendered } from '@xs2a/contracts/call';
import type { EntryLists } from '../port/accounts.js';

/** The members of an entry in the form of the Berlin Group that a test compares. */
interface RenderedEntry extends Pick<
  TransactionEntry,
  | 'transactionId'
  | 'entryReference'
  | 'bookingDate'
  | 'valueDate'
  | 'endToEndId'
  | 'batchNumberOfTransactions'
> {
  readonly transactionAmount: { readonly amount: string; readonly currency: string };
  readonly creditorName?: string;
  readonly debtorName?: string;
  readonly creditorAccount?: { readonly iban?: string };
  readonly debtorAccount?: { readonly iban?: string };
  readonly remittanceInformationUnstructured?: string;
  readonly bankTransactionCode?: string;
}

/** Currencies with two decimals only. */
const entryOf = ({
  transactionAmount,
  creditorAccount,
  debtorAccount,
  remittanceInformationUnstructured,
  ...entry
}: RenderedEntry): TransactionEntry => ({
  ...entry,
  amount: { minor: Math.round(Number(transactionAmount.amount) * 100), currency: transactionAmount.currency },
  creditorAccount: creditorAccount?.iban,
  debtorAccount: debtorAccount?.iban,
  remittance: remittanceInformationUnstructured,
});

const jsonOf = <Document>({ rendered }: Rendered): Document =>
  JSON.parse(Buffer.from(rendered).toString()) as Document;

/** A rendered entry as a record again. */
export const readEntry = (entry: Rendered): TransactionEntry => entryOf(jsonOf<RenderedEntry>(entry));

/** The lists of a rendered page as records again; one that was not asked for is empty. */
export const readPage = <Page extends Rendered>(page: Page): Omit<Page, 'rendered'> & EntryLists => {
  const { booked = [], pending = [] } = jsonOf<{ booked?: RenderedEntry[]; pending?: RenderedEntry[] }>(page);
  const { rendered: _rendered, ...cursors } = page;
  return { ...cursors, booked: booked.map(entryOf), pending: pending.map(entryOf) };
};
