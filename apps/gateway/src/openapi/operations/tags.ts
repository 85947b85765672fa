const tags = [
  { name: 'Payments', description: 'Initiation, status, details and cancellation of payments.' },
  {
    name: 'Periodic payments',
    description: 'Standing orders in {currency}; each of their payments appears in the account history.',
  },
  { name: 'Bulk payments', description: 'Many payments from one account, signed once.' },
  { name: 'Signing baskets', description: 'Payments and consents that are signed together.' },
  { name: 'Consents', description: 'The PSU’s consent to account information.' },
  { name: 'Accounts', description: 'Accounts, balances and transactions under a consent. Read only.' },
  { name: 'Funds confirmation', description: 'Confirms whether an amount is covered.' },
  { name: 'Sandbox', description: 'Clock, PSUs, TPPs and money to test with. Only in the sandbox.' },
  { name: 'Tokens', description: 'OAuth 2.0. See the discovery document for details.' },
  { name: 'Service', description: 'This description, and health checks.' },
] as const;

/** The groups of endpoints, in the order of the document. `homeCurrency`: the one of standing orders. */
export const tagsIn = (homeCurrency: string) =>
  tags.map(({ name, description }) => ({
    name,
    description: description.replace('{currency}', homeCurrency),
  }));

export type Tag = (typeof tags)[number]['name'];
