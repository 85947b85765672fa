/** A page of `docs` that the developer portal shows. */
export interface GuideSource {
  readonly file: string;
  /** What the reader can do afterwards, for the list of guides. */
  readonly summary: string;
  /** True if its examples are payments in the currency of the bank; false if its text is about currencies. */
  readonly inCurrency: boolean;
}

/** The guides of the developer portal, in its order. */
export const guideSources: readonly GuideSource[] = [
  {
    file: 'docs/how-to/get-a-token.md',
    summary: 'Tokens for your application and for a customer’s accounts, with PAR, PKCE and DPoP.',
    inCurrency: true,
  },
  {
    file: 'docs/how-to/present-a-certificate.md',
    summary: 'Your QWAC in the TLS connection, a test certificate, what each refusal means, and renewal.',
    inCurrency: false,
  },
  {
    file: 'docs/how-to/follow-a-payment.md',
    summary: 'The life of a payment, what the PSU does, push before polling, and what is safe to repeat.',
    inCurrency: true,
  },
  {
    file: 'docs/how-to/read-accounts.md',
    summary: 'Consents and how they end, balances, and transactions page by page or only the new ones.',
    inCurrency: true,
  },
  {
    file: 'docs/how-to/test-your-tpp.md',
    summary:
      'Your own test people and money, each end of a payment, orders, bulk payments, baskets, the clock and simulated failures.',
    inCurrency: true,
  },
  {
    file: 'docs/how-to/sign-in-a-test.md',
    summary: 'Sign as the customer by a program, so that your tests run without a browser.',
    inCurrency: true,
  },
  {
    file: 'docs/how-to/verify-a-notification.md',
    summary:
      'Status push instead of polling: how to answer, and how to verify the signature in Node, Python and Java.',
    inCurrency: true,
  },
  {
    file: 'docs/how-to/generate-a-client.md',
    summary: 'A client in Python or Java, generated from the description of this bank.',
    inCurrency: true,
  },
  {
    file: 'docs/how-to/certify-your-application.md',
    summary: 'Forty situations that your application must survive, how to bring each about, and a report.',
    inCurrency: false,
  },
  {
    file: 'docs/how-to/go-live.md',
    summary:
      'Registration and certificate at a real bank, what differs from the sandbox, and a list to check.',
    inCurrency: true,
  },
  {
    file: 'docs/profiles.md',
    summary: 'What differs between the sandbox and production, and between the lev and the euro.',
    inCurrency: false,
  },
];
