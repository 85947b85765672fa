import type { Catalogue } from './catalogue.js';
import { codesEn } from './codes-en.js';
import { scheduleEn } from './schedule-en.js';

export const en: Catalogue = {
  languageName: 'English',
  codes: codesEn,
  schedule: scheduleEn,
  signIn: {
    title: 'Sign in',
    lead: (tpp) => `${tpp} asks for your approval. Sign in to see what it asks for.`,
    ownLead: 'Sign in to see what you have approved.',
    psuId: 'User name',
    password: 'Password',
    submit: 'Sign in',
  },
  accounts: {
    title: 'Choose accounts',
    lead: (tpp) => `Choose the accounts that ${tpp} may read.`,
    legend: 'Your accounts',
    none: 'You have no account that could be chosen.',
    main: 'main account',
    submit: 'Continue',
  },
  review: {
    of: {
      payment: {
        title: 'Check the payment',
        lead: (tpp) => `${tpp} has prepared this payment for you.`,
      },
      order: {
        title: 'Check the standing order',
        lead: (tpp) =>
          `${tpp} has prepared this standing order for you. The bank will pay each time without asking you again.`,
      },
      bulk: {
        title: 'Check the payments',
        lead: (tpp) => `${tpp} has prepared these payments for you. You sign all of them at once.`,
      },
      basket: {
        title: 'Check the payments and accesses',
        lead: (tpp) => `${tpp} has put these together for you. You sign all of them at once.`,
      },
      consent: {
        title: 'Check the access',
        lead: (tpp) => `${tpp} asks to read data of your accounts. It cannot pay or change anything.`,
      },
      renewal: {
        title: 'Confirm the access again',
        lead: (tpp) => `You have allowed ${tpp} this access. It asks you to confirm that it is still you.`,
      },
      funds: {
        title: 'Check the access',
        lead: (tpp) =>
          `${tpp} asks to be told whether an amount is available on your accounts. It sees no balance and cannot pay.`,
      },
    },
    entries: (count) => `The ${count} payments`,
    parts: 'Parts of the list',
    hint: 'Approve only what you started yourself.',
    approve: 'Approve',
    refuse: 'Refuse',
  },
  row: {
    amount: 'Amount',
    each: 'Amount of each payment',
    sum: 'Total',
    numberOfPayments: 'Number of payments',
    payee: 'Payee',
    payeeAccount: 'Payee account',
    payeeBank: 'Payee’s bank',
    from: 'From account',
    onBehalfOf: 'On behalf of',
    when: 'When',
    starts: 'Starts',
    ends: 'Ends',
    nonBankingDay: 'On a weekend or holiday',
    firstDates: 'First payments',
    nextDate: 'Next payment',
    inHistory: 'In your history',
    signatures: 'Signatures',
    type: 'Type',
    serviceLevel: 'How it is sent',
    charges: 'Charges',
    chargeBearer: 'Who pays the charges',
    rate: 'Exchange rate',
    total: 'Leaves your account',
    purpose: 'Purpose',
    bankReference: 'National bank reference',
    remittance: 'Reason for payment',
    obligedPerson: 'Obliged person',
    taxpayer: 'Identification',
    reportType: 'Kind of document',
    document: 'Document',
    category: 'Paid for',
    period: 'Period',
    who: 'Who',
    which: 'Accounts',
    what: 'What',
    howLong: 'How long',
    howOften: 'How often',
  },
  value: {
    atOnce: 'today, as soon as you have signed',
    atOnceAll: 'today, as soon as all have signed',
    signed: (persons, of) => `${persons} of ${of} made`,
    on: (date) => `on ${date}`,
    until: (date) => `until ${date}`,
    untilWithdrawn: 'until you withdraw it',
    timesADay: (times) => (times === 1 ? 'once a day without you' : `up to ${times} times a day without you`),
    whenYouAsk: 'any time you ask for it yourself',
    oneOff: 'one time only',
    allAccounts: 'all accounts that you can use online',
    yesOrNo: 'whether an amount is available: yes or no',
    product: {
      'domestic-credit-transfer-BGN': 'Domestic credit transfer',
      'domestic-budget-transfer-BGN': 'Transfer to the budget',
      'SEPA-Credit-Transfer': 'SEPA credit transfer',
      'cross-border-credit-transfer': 'Cross-border credit transfer',
    },
    kind: { order: 'standing order', bulk: 'bulk payment' },
    oneEntry: 'one entry for all of them',
    entryForEach: 'an entry for each of them',
    andOthers: (payee, others) => (others === 1 ? `${payee} and one other` : `${payee} and ${others} others`),
    tariff: 'as in the bank’s tariff, the same as in internet banking',
    tariffOfTheDay: 'as in the bank’s tariff on the day of each payment',
    period: (from, end) => [from && `from ${from}`, end && `to ${end}`].filter(Boolean).join(' '),
    access: { accounts: 'account details', balances: 'balances', transactions: 'transactions' },
  },
  code: {
    title: 'Enter the code',
    lead: 'Your bank has sent you a code for exactly this approval. It is good for 5 minutes and for one use.',
    sandbox: 'This is a sandbox: the code is 123456.',
    label: 'Code of 6 digits',
    submit: 'Sign',
  },
  cancel: 'Cancel',
  signOut: 'Sign out',
  places: 'Your pages',
  openAgain: 'Open the page again',
  notice: {
    'sign-in-failed':
      'Sign-in was not possible. Check user name and password; after several failures signing in is locked for 30 minutes.',
    'code-wrong': 'The code was not accepted. After several failures signing is locked for 30 minutes.',
    'code-expired': 'The code has expired. Approve again to get a new one.',
    'too-many-codes':
      'Several codes were sent to you that were not used, so no further one is sent now. Try again in 15 minutes. If you did not ask for them, call the bank.',
    'no-accounts': 'Choose at least one account.',
    'sign-in-to-refuse': 'Somebody has already signed in for this. To refuse or cancel it, sign in first.',
    'out-of-date': 'That page was out of date. This is where you are.',
    'session-ended': 'Your session ended after 5 minutes without activity. Sign in again.',
    unlocked:
      'Signing was locked after several failures, and the bank has unlocked it. If you did not ask for this, call the bank.',
    withdrawn: 'The access has been withdrawn.',
    'withdraw-failed': 'This access could not be withdrawn. It may have ended already.',
  },
  closed: {
    unknown: {
      title: 'This link is not known',
      text: 'Go back to the application that sent you and start again there.',
    },
    used: {
      title: 'This link has been used',
      text: 'What it stood for has been decided already. Nothing more needs to be done here.',
    },
    signed: {
      title: 'This signature is recorded',
      text: 'What was signed waits for the signatures of other persons. Nothing more needs to be done here.',
    },
    grouped: {
      title: 'This is signed together with others',
      text: 'The application that sent you has put this together with other payments or accesses. Go back to it: all of them are signed at once.',
    },
    expired: {
      title: 'This link has expired',
      text: 'Go back to the application that sent you and start again there.',
    },
  },
  result: {
    authorised: {
      payment: {
        title: 'Payment signed',
        text: () =>
          'You have authorised the payment. The bank will now carry it out, if the account has the funds.',
      },
      order: {
        title: 'Standing order signed',
        text: () =>
          'You have authorised the standing order. The bank will pay on each of its days; a payment that the account does not cover is left out.',
      },
      bulk: {
        title: 'Payments signed',
        text: () =>
          'You have authorised the payments. The bank will carry them out one by one; a payment that the account does not cover is left out.',
      },
      basket: {
        title: 'All is signed',
        text: (tpp) =>
          `You have authorised all of it. The bank will now carry out the payments that the accounts cover; ${tpp} may read what you approved.`,
      },
      access: {
        title: 'Access granted',
        text: (tpp) => `${tpp} may now read what you approved. You can withdraw this at any time.`,
      },
    },
    partlyTitle: 'Your signature is recorded',
    partly: {
      payment: 'You have signed the payment.',
      order: 'You have signed the standing order.',
      bulk: 'You have signed the payments.',
      basket: 'You have signed all of it.',
      access: 'You have signed this access.',
    },
    missing: (persons) =>
      persons === 1
        ? 'One more signature is needed before this takes effect.'
        : `${persons} more signatures are needed before this takes effect.`,
    failedTitle: 'Not authorised',
    failed: {
      payment: 'The payment was not authorised. No money has moved.',
      order: 'The standing order was not authorised. No money has moved.',
      bulk: 'The payments were not authorised. No money has moved.',
      basket: 'None of it was authorised. No money has moved, no access was granted.',
      access: 'No access was granted.',
    },
    close: 'You can close this page.',
    unchangedTitle: 'Nothing to sign here',
    subject: {
      payment: 'this payment',
      order: 'this standing order',
      bulk: 'these payments',
      basket: 'this',
      access: 'this access',
    },
    unchanged: {
      'signed-before': (subject) => `You have already signed ${subject}. A person signs only once.`,
      'signed-by-another': (subject) => `Another person has already signed ${subject}.`,
      'taken-by-another': (subject) =>
        `Another person is signing ${subject}. Only that person can sign or refuse now.`,
    },
    reason: {
      'psu-refused': 'You refused.',
      'psu-cancelled': 'You cancelled.',
      'sca-failed': 'The code was wrong too often.',
      'not-the-named-psu': 'It was meant for another user.',
      'not-the-account-owner': 'You cannot dispose of the account that was named.',
      'debtor-account-unusable': 'No payment can be made from this account.',
      'not-authorised-in-time': 'The time for approving had passed.',
      'terminated-by-tpp': 'The application took its request back.',
      'no-longer-possible': 'It can no longer be authorised.',
    },
  },
  apps: {
    title: 'Apps with access',
    lead: 'What you allowed other applications to read, and until when.',
    none: 'No application may read your accounts.',
    status: { valid: 'active', ended: 'ended', waiting: 'waiting for a further approval' },
    lastUsed: (when) => `last used ${when}`,
    ended: (count) => `Ended (${count})`,
    withdraw: 'Withdraw',
    withdrawLabel: (tpp) => `Withdraw the access of ${tpp}`,
  },
  payments: {
    title: 'Payments I authorised',
    lead: 'Payments and standing orders that other applications prepared and you signed.',
    none: 'You have not signed any payment here.',
    signedAt: 'Signed',
    state: 'State',
    status: {
      partly: 'waiting for further signatures',
      waiting: 'waiting to be carried out',
      unfunded: 'not carried out: not enough money',
      executing: 'being carried out',
      done: 'carried out',
      partlyDone: 'carried out in part: not enough money for the others',
      firstToCome: 'waiting for its first payment',
      running: 'active',
      ended: 'ended',
      cancelled: 'cancelled by the application',
      refused: 'refused by another signer',
      lapsed: 'not carried out: not signed by all in time',
      rejected: 'not authorised',
    },
  },
  unavailable: {
    title: 'Not available now',
    text: 'The service cannot answer at this moment. Try again in a few seconds.',
  },
  busy: {
    title: 'Many people are signing in',
    text: 'Your password could not be checked in time. Nothing was changed. Try again in 5 seconds.',
  },
  unsure: {
    title: 'The answer takes too long',
    text: 'We cannot say yet whether your last step was carried out. Open the page again: it shows where you are.',
  },
  forbidden: {
    title: 'This page has ended',
    text: 'The form you sent does not belong to an active session and was not accepted. Open the page again: it shows where you are.',
  },
  notFound: { title: 'No such page', text: 'There is nothing at this address.' },
  oauthError: {
    title: 'The request cannot be carried out',
    text: 'The application that sent you made a request that the bank does not accept. Go back and start again there.',
    code: 'Code for the application',
  },
};
