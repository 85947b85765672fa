import type { ClosedWords, EndsWords } from './ends-words.js';

const app = (tpp: string | undefined): string => tpp ?? 'the app that sent you';

export const closedEn: ClosedWords = {
  unknown: {
    title: 'This link is not known',
    text: (tpp) => `Go back to ${app(tpp)} and start again there.`,
  },
  used: {
    title: 'This link has been used',
    text: (tpp) => `This has been decided already. To see the result, go back to ${app(tpp)}.`,
  },
  signed: {
    title: 'Your signature is recorded',
    text: (tpp) => `The other signers still have to sign. You can go back to ${app(tpp)}.`,
  },
  grouped: {
    title: 'This is signed together with others',
    text: (tpp) =>
      `It is now part of a group of payments or accesses that are all signed at once. Go back to ${app(tpp)} to sign the group.`,
  },
  expired: {
    title: 'This link has expired',
    text: (tpp) =>
      `The time to approve is over. No money has moved. Go back to ${app(tpp)} and start again there.`,
  },
};

export const endsEn: EndsWords = {
  done: {
    payment: {
      title: 'You approved the payment',
      text: (tpp) => `${tpp} can see that you approved it.`,
      next: (tpp) => [
        'We send the money on the day of the payment, if your account covers it.',
        `If it does not, nothing is paid, and ${tpp} can see this.`,
      ],
    },
    order: {
      title: 'You approved the standing order',
      text: (tpp) => `${tpp} can see that you approved it.`,
      next: () => [
        'We pay on each of its days, if your account covers it. A payment that it does not cover is skipped.',
        'You can see the order, and stop it, under Your approvals.',
      ],
    },
    bulk: {
      title: 'You approved the payments',
      text: (tpp) => `${tpp} can see that you approved them.`,
      next: () => [
        'We send the payments one by one, if your account covers them. A payment that it does not cover is skipped.',
      ],
    },
    basket: {
      title: 'You approved everything',
      text: (tpp) => `${tpp} can see that you approved it.`,
      next: (tpp) => [
        'We send the payments one by one, if your accounts cover them. A payment that is not covered is skipped.',
        `${tpp} can read the accounts that you approved.`,
      ],
    },
    access: {
      title: 'You gave access',
      text: (tpp) => `${tpp} may now read what you approved.`,
      next: () => ['You can end the access any time, under Your approvals.'],
    },
  },
  next: 'What happens next',
  instant: {
    underWay: {
      title: 'The payment is under way',
      text: 'It takes up to 10 seconds. This page renews itself until the result is known.',
      unknown: 'The result is not known yet. You will find it under Your approvals.',
    },
    settled: { title: 'The payment is made', text: 'The payee has the money.' },
    rejected: 'The transfer was not made. Your account was not charged.',
    reason: {
      AM04: 'your account does not cover it',
      AM14: 'it is above your limit for instant payments',
      AC06: 'your account is blocked or closed',
      AC01: 'the payee’s bank does not know the account',
      AC04: 'the payee’s account is closed',
      AG01: 'the payee’s account cannot be credited',
      AB05: 'the payee’s bank did not answer in time',
      AB08: 'the payee’s bank is not available',
      AB11: 'we could not send it in time',
      MS03: 'the payee’s bank refused it without giving a reason',
      other: 'the payee’s bank could not credit the account',
    },
  },
  partlyTitle: (missing) =>
    missing === 1 ? 'You signed. One more person must sign' : `You signed. ${missing} more people must sign`,
  partly: {
    payment: 'Your signature is recorded. The payment is made once everyone has signed.',
    order: 'Your signature is recorded. The standing order starts once everyone has signed.',
    bulk: 'Your signature is recorded. The payments are made once everyone has signed.',
    basket: 'Your signature is recorded. Everything takes effect once everyone has signed.',
    access: 'Your signature is recorded. The access starts once everyone has signed.',
  },
  failed: {
    payment: { title: 'Not paid', text: 'No money has moved.' },
    order: { title: 'Not set up', text: 'No money has moved, and none will.' },
    bulk: { title: 'Not paid', text: 'No money has moved.' },
    basket: { title: 'Not approved', text: 'No money has moved, and no access was given.' },
    access: { title: 'No access', text: 'No new access was given.' },
  },
  reason: {
    'psu-refused': 'you refused',
    'psu-cancelled': 'you cancelled',
    'sca-failed': 'the code was wrong too often',
    'not-the-named-psu': 'it was meant for another user',
    'not-the-account-owner': 'you cannot use that account',
    'debtor-account-unusable': 'that account cannot pay',
    'not-authorised-in-time': 'time ran out',
    'lev-ended': 'the lev ended before it was signed',
    'terminated-by-tpp': 'the app took it back',
    'no-longer-possible': 'it can no longer be approved',
  },
  locked: {
    title: (time) => `Signing is locked until ${time}`,
    text: 'The code was wrong five times. Your password is right: do not change it.',
    next: 'What you can do',
    wait: (time, tpp) => `Wait until ${time}, then start again at ${tpp}.`,
  },
  startAgain: (tpp) => `To approve it after all, start again at ${tpp}.`,
  notified: (tpp) => `${tpp} can see the result.`,
  notYou: 'You did not start this?',
  callUs: 'Call us now:',
  seeApps: 'See which apps have access',
  unchangedTitle: 'Nothing to sign here',
  subject: {
    payment: 'this payment',
    order: 'this standing order',
    bulk: 'these payments',
    basket: 'this',
    access: 'this access',
  },
  unchanged: {
    'signed-before': (subject) => `You have already signed ${subject}. Each person signs once.`,
    'signed-by-another': (subject) => `Another person has already signed ${subject}.`,
    'taken-by-another': (subject) =>
      `Another person is signing ${subject}. Only that person can sign or refuse it now.`,
  },
  back: (tpp) => `Back to ${tpp}`,
  close: 'You can close this page.',
  seeApprovals: 'See your approvals',
  signedAt: 'Signed',
  reference: 'Reference',
};
