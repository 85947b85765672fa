import type { TransactionEntry } from '@xs2a/contracts/accounts.contract';
import type { EntriesPage, PageCursors } from '../../port/accounts.js';
import { inEuro, readEntries } from '../ledger/entry-details.js';

/** Only the stored JSON text of an entry in leva contains this: in a name or a remittance text the quotes would be escaped. */
const inLeva = '"transactionAmount":{"currency":"BGN"';

/**
 * Returns a page of entries with its cursors. `stored` contains the JSON texts of the booked and of the pending entries, joined
 * by commas. Accessing `booked` or `pending` parses them. `bookedText` is the unparsed text for account information. It is
 * undefined if `levEnd` is set and a booked entry is in leva, because a bank in euro adds the amount in euro to that entry.
 */
export const storedPage = (
  stored: { readonly booked: string; readonly pending: string },
  levEnd: string | undefined,
  { nextCursor, previousCursor }: PageCursors = {},
): EntriesPage => {
  const read = (texts: string, isBooked: boolean): readonly TransactionEntry[] => {
    const entries = readEntries(texts, isBooked);
    return levEnd === undefined ? entries : entries.map((entry) => inEuro(entry, levEnd));
  };
  const isShownAsStored = levEnd === undefined || !stored.booked.includes(inLeva);
  return {
    get booked() {
      return read(stored.booked, true);
    },
    get pending() {
      return read(stored.pending, false);
    },
    bookedText: isShownAsStored ? stored.booked : undefined,
    nextCursor,
    previousCursor,
  };
};
