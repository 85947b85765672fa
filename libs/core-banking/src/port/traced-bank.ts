import { callContext } from '@xs2a/calls/context';
import { inSpan } from '@xs2a/calls/in-span';
import type { SpanDescription } from '@xs2a/observability/tracing/spans';
import type { BankCall } from './bank-call.js';
import type { CoreBank } from './core-bank.js';

/** The span of a request to the core bank, named as its NATS subject is, without `svc.bank.`. */
export const bankSpan = (operation: string): SpanDescription => ({
  name: `core bank ${operation}`,
  kind: 'CLIENT',
  attributes: {
    'rpc.system.name': 'core-bank',
    'rpc.method': operation,
    'server.service.name': 'core-bank',
  },
});

/** Runs a request to the bank in a span, and passes the span on, so that the bank's own spans are below it. */
const inBankSpan = async <Answer>(
  operation: string,
  call: BankCall,
  ask: (call: BankCall) => Promise<Answer>,
): Promise<Answer> =>
  inSpan(bankSpan(operation), async () => {
    const { traceparent = call.traceparent } = callContext.getStore() ?? {};
    return ask({ ...call, traceparent });
  });

/** Returns the bank with a span around each request. */
export const tracedBank = ({ accounts, funds, booking, instant, psus, payees }: CoreBank): CoreBank => ({
  accounts: {
    facts: async (asked, call) =>
      inBankSpan('accounts.facts', call, async (traced) => accounts.facts(asked, traced)),
    details: async (resourceIds, call) =>
      inBankSpan('accounts.details', call, async (traced) => accounts.details(resourceIds, traced)),
    entries: async (query, call) =>
      inBankSpan('accounts.entries', call, async (traced) => accounts.entries(query, traced)),
    entry: async (account, transactionId, call) =>
      inBankSpan('accounts.entry', call, async (traced) => accounts.entry(account, transactionId, traced)),
  },
  funds: {
    covers: async (question, call) =>
      inBankSpan('funds.covers', call, async (traced) => funds.covers(question, traced)),
  },
  booking: {
    placeHolds: async (orders, call) =>
      inBankSpan('holds.place', call, async (traced) => booking.placeHolds(orders, traced)),
    postHolds: async (paymentIds, call) =>
      inBankSpan('holds.post', call, async (traced) => booking.postHolds(paymentIds, traced)),
    voidHolds: async (paymentIds, call) =>
      inBankSpan('holds.void', call, async (traced) => booking.voidHolds(paymentIds, traced)),
  },
  instant: {
    sendInstant: async (paymentId, order, deadline, call) =>
      inBankSpan('instant.send', call, async (traced) =>
        instant.sendInstant(paymentId, order, deadline, traced),
      ),
  },
  psus: {
    authenticate: async (psuId, password, call) =>
      inBankSpan('psus.authenticate', call, async (traced) => psus.authenticate(psuId, password, traced)),
    listAccounts: async (psuId, call) =>
      inBankSpan('psus.accounts', call, async (traced) => psus.listAccounts(psuId, traced)),
    corporate: async (corporateId, call) =>
      inBankSpan('psus.corporate', call, async (traced) => psus.corporate(corporateId, traced)),
  },
  payees: {
    verify: async (question, call, payer) =>
      inBankSpan('payees.verify', call, async (traced) => payees.verify(question, traced, payer)),
  },
});
