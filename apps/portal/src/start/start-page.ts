import { paymentBodyIn } from '@xs2a/gateway/openapi/examples';
import type { Profile } from '@xs2a/domain/profile/profile';
import { standardOf } from '@xs2a/domain/payment/standards/standards';
import { durationText } from '@xs2a/doctor/durations';
import { toBankDate } from '@xs2a/domain/time/bank-calendar';
import { type Html, html } from '@xs2a/html/html';
import { codeBlock } from '../pages/code.js';
import { page } from '../pages/layout.js';
import type { Fixtures } from './fixtures.js';

export interface Start {
  readonly baseUrl: string;
  readonly profile: Profile;
  /** The application of the developer who has signed in. */
  readonly clientId?: string;
  /** What only a sandbox with its own bank has. */
  readonly sandbox?: {
    readonly fixtures: Fixtures;
    /** The sandbox's time, as an ISO instant. */
    readonly now: string;
    /** By how much it is ahead of real time. */
    readonly offsetMs: number;
  };
}

interface Flow {
  readonly name: string;
  readonly steps: readonly (readonly [who: 'You' | 'Customer' | 'Bank', what: string])[];
}

const flows: readonly Flow[] = [
  {
    name: 'Initiate a payment',
    steps: [
      ['You', 'get a token for your application'],
      ['You', 'send the payment'],
      ['Customer', 'signs it on the bank’s page'],
      ['Bank', 'executes it and pushes each status to you'],
    ],
  },
  {
    name: 'Read accounts',
    steps: [
      ['You', 'request a consent'],
      ['Customer', 'approves it on the bank’s page'],
      ['You', 'exchange the code for a token'],
      ['You', 'read accounts, balances and transactions'],
    ],
  },
  {
    name: 'Confirm funds',
    steps: [
      ['You', 'ask for access'],
      ['Customer', 'approves it on the bank’s page'],
      ['You', 'ask whether an amount is covered'],
      ['Bank', 'answers yes or no, never the balance'],
    ],
  },
];

const flowDrawn = ({ name, steps }: Flow): Html =>
  html`<section class="flow">
    <h3>${name}</h3>
    <ol>
      ${steps.map(([who, what]) => html`<li class="${who.toLowerCase()}"><b>${who}</b> ${what}</li>`)}
    </ol>
  </section>`;

/** The client of the first command: the reader's own, the first that all users share, or a variable. */
const clientOf = ({ clientId, sandbox }: Start) => {
  if (clientId !== undefined)
    return {
      credentials: `${clientId}:"$CLIENT_SECRET"`,
      whose: html`. This client is yours; <code>CLIENT_SECRET</code> is the secret that you got at its
        registration`,
    };
  const [shared] = sandbox?.fixtures.tpps ?? [];
  return shared === undefined
    ? { credentials: '$CLIENT_ID:$CLIENT_SECRET', whose: undefined }
    : {
        credentials: `${shared.clientId}:${shared.clientSecret}`,
        whose: html`. This client belongs to every user of the sandbox`,
      };
};

const firstPayment = (start: Start): Html => {
  const { baseUrl, profile, sandbox } = start;
  const standard = standardOf(profile);
  const { credentials, whose } = clientOf(start);
  const person = sandbox?.fixtures.psus[0];
  const product = standard.periodicProduct;
  const setPaymentId = "PAYMENT_ID='the paymentId'\n\n";
  return html`<section aria-labelledby="first-payment">
    <h2 id="first-payment">Your first payment in five minutes</h2>
    <ol class="steps">
      <li>
        <p>Get a token for your application${whose}:</p>
        ${codeBlock(
          'curl',
          `curl ${baseUrl}/oauth2/token -u ${credentials} \\
  -d grant_type=client_credentials -d scope=PSP_PI`,
        )}
      </li>
      <li>
        <p>Send a payment with the <code>access_token</code> of the answer:</p>
        ${codeBlock(
          'curl',
          `TOKEN='the access_token'

curl ${baseUrl}/v1/payments/${product} \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: first-$(date +%s)" \\
  -d '${JSON.stringify(paymentBodyIn(standard), null, 2)}'`,
        )}
      </li>
      <li>
        <p>
          Open <code>_links.scaRedirect.href</code> of the answer in a browser and sign
          ${
            person === undefined
              ? 'as a customer of the bank'
              : html`as <code>${person.psuId}</code> with the password <code>${person.password}</code> and the
                  one-time code <code>123456</code>`
          }.
        </p>
      </li>
      ${
        sandbox === undefined
          ? undefined
          : html`<li>
              <p>A signed payment is due after a minute. Do not wait for it:</p>
              ${codeBlock(
                'curl',
                `${setPaymentId}curl -X POST ${baseUrl}/sandbox/payments/$PAYMENT_ID/settle \\
  -H "Authorization: Bearer $TOKEN"`,
              )}
            </li>`
      }
      <li>
        <p>Read its status, <code>ACSC</code> once it has been executed:</p>
        ${codeBlock(
          'curl',
          `${sandbox === undefined ? setPaymentId : ''}curl ${baseUrl}/v1/payments/${product}/$PAYMENT_ID/status \\
  -H "Authorization: Bearer $TOKEN"`,
        )}
      </li>
    </ol>
  </section>`;
};

const accountsOf = (
  { corporates }: Fixtures,
  { accounts = [], corporateIds = [] }: Fixtures['psus'][number],
) => [
  ...accounts.map((iban) => html`<li><code>${iban}</code></li>`),
  ...corporates
    .filter(({ corporateId }) => corporateIds.includes(corporateId))
    .map(
      ({ corporateId, name, signaturesRequired, accounts: ibans }) =>
        html`<li>
          signs for ${name} (<code>${corporateId}</code>), whose payments need ${signaturesRequired}
          signatures: ${ibans.map((iban) => html`<code>${iban}</code> `)}
        </li>`,
    ),
];

const people = ({ fixtures, now, offsetMs }: NonNullable<Start['sandbox']>, { timeZone }: Profile): Html =>
  html`<section aria-labelledby="people">
    <h2 id="people">People of this sandbox</h2>
    <p>
      The one-time code is always <code>123456</code>. To test by yourself, create your own person with
      <a href="/reference/createPsu">POST /sandbox/psus</a>.
    </p>
    <ul class="rows">
      ${fixtures.psus.map(
        (psu) =>
          html`<li>
            <p>
              <b>${psu.psuId}</b> ${psu.name} <span class="quiet">password <code>${psu.password}</code></span>
            </p>
            <ul>
              ${accountsOf(fixtures, psu)}
            </ul>
          </li>`,
      )}
    </ul>
    <h2 id="clients">Clients of this sandbox</h2>
    <p>
      <a href="/workspace/register">Register your own</a> on a page or with
      <a href="/reference/registerTpp">POST /sandbox/tpps</a>.
    </p>
    <ul class="rows">
      ${fixtures.tpps.map(
        ({ clientId, clientSecret, roles, redirectUris }) =>
          html`<li>
            <p>
              <b>${clientId}</b> <span class="quiet">secret <code>${clientSecret}</code></span>
            </p>
            <p class="quiet">
              ${roles.join(', ')}; redirect URIs ${redirectUris.map((uri) => html`<code>${uri}</code> `)}
            </p>
          </li>`,
      )}
    </ul>
    <h2 id="clock">Clock</h2>
    <p>
      It is <time datetime="${now}">${now.slice(0, 16).replace('T', ' ')} UTC</time> in this
      sandbox${offsetMs === 0 ? ', as everywhere else' : `: its users have moved its clock forward by ${durationText(offsetMs)}`}.
      The header <code>X-Sandbox-Clock</code> of every answer shows the time. At the bank, where days begin at
      midnight in <code>${timeZone}</code>, it is ${toBankDate(now, timeZone)}.
    </p>
  </section>`;

/** The first page: what the interface is, and the way to a first payment. */
export const startPage = (start: Start): Html => {
  const { baseUrl, profile, sandbox } = start;
  const body = html`<div class="hero">
      <h1>Payments and account information from one bank interface</h1>
      <p class="lead">
        Initiate payments, read accounts and confirm funds with the customer’s approval (PSD2, Berlin Group
        XS2A). This ${sandbox === undefined ? 'bank' : 'sandbox'} answers at <code>${baseUrl}</code>.
      </p>
      <p>
        <a class="button" href="#first-payment">Make a first payment</a>
        <a class="button second" href="/reference">API reference</a>
        ${sandbox === undefined ? undefined : html`<a class="button second" href="/workspace">Open the workspace</a>`}
        <a class="button second" href="/collections">Collections</a>
      </p>
    </div>
    <section aria-labelledby="flows">
      <h2 id="flows">How it works</h2>
      <div class="flows">${flows.map(flowDrawn)}</div>
    </section>
    ${firstPayment(start)} ${sandbox === undefined ? undefined : people(sandbox, profile)}
    <p class="quiet">Rules of this bank: profile <code>${profile.name}</code>.</p>`;
  return page({ path: '/', title: 'Start', body });
};
