import * as consents from './consent-rules.js';
import * as push from './push-rules.js';
import { type Group, guideTo } from './situation.js';

export const consentGroup: Group = {
  title: 'Access to accounts',
  situations: [
    {
      id: 'consent-valid',
      title: 'The customer allows access.',
      good: 'The application reads that the consent is valid.',
      how: 'Ask for access in your application, and allow it at the bank.',
      guide: `${guideTo.accounts}#the-consent`,
      find: consents.consentValid,
    },
    {
      id: 'consent-rejected',
      title: 'The customer does not allow access.',
      good: 'The application reads that the consent is rejected.',
      how: 'Ask for access in your application, and do not allow it at the bank.',
      guide: `${guideTo.accounts}#the-consent`,
      find: consents.consentRejected,
    },
    {
      id: 'consent-revoked',
      title: 'The customer withdraws access.',
      good: 'The application reads that the consent is revoked.',
      how: 'Withdraw the access on the page Your approvals of the bank, at /sca/apps.',
      guide: `${guideTo.signing}#stop-an-order-or-withdraw-access`,
      find: consents.consentRevoked,
    },
    {
      id: 'consent-ended',
      title: 'A consent has ended.',
      good: 'The application stops reading and asks for a new consent.',
      how: 'Expire a valid consent in Consents, and read the account in your application.',
      guide: `${guideTo.accounts}#the-consent`,
      find: consents.consentEnded,
    },
    {
      id: 'consent-terminated',
      title: 'The application no longer needs a consent.',
      good: 'The application ends it with DELETE.',
      how: 'End an access in your application.',
      guide: `${guideTo.accounts}#end-the-consent`,
      find: consents.consentTerminated,
    },
    {
      id: 'unattended',
      title: 'The customer is not there.',
      good: 'The account is read without PSU-IP-Address.',
      how: 'Let your application read an account by itself.',
      guide: `${guideTo.accounts}#is-the-psu-there`,
      find: consents.unattended,
    },
  ],
};

export const pushGroup: Group = {
  title: 'Notifications',
  situations: [
    {
      id: 'push-accepted',
      title: 'The bank notifies you.',
      good: 'The first attempt is answered with 2xx.',
      how: 'Make a payment with TPP-Notification-URI, and sign it.',
      guide: `${guideTo.notifications}#answer`,
      find: push.accepted,
    },
    {
      id: 'push-forged',
      title: 'Somebody else notifies you.',
      good: 'A notification whose signature is wrong is answered with 401.',
      how: 'Press the button once your application has been notified.',
      guide: `${guideTo.notifications}#verify-the-signature`,
      provoked: { send: 'forge' },
      find: push.forged,
    },
    {
      id: 'push-repeated',
      title: 'A notification comes twice.',
      good: 'The second one is answered with 2xx as well.',
      how: 'Press the button once a notification has been delivered.',
      guide: `${guideTo.notifications}#answer`,
      provoked: { send: 'replay' },
      find: push.repeated,
    },
    {
      id: 'push-recovered',
      title: 'Your receiver was down.',
      good: 'After a failed attempt, a later one is answered with 2xx.',
      how: 'Stop your receiver, sign a payment, and start it again.',
      guide: `${guideTo.notifications}#answer`,
      find: push.recovered,
    },
    {
      id: 'push-read',
      title: 'A notification says that something has changed.',
      good: 'The application reads the resource within a minute.',
      how: 'Make a payment with TPP-Notification-URI, and sign it.',
      guide: `${guideTo.notifications}#answer`,
      find: push.readAfter,
    },
  ],
};
