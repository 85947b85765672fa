import { randomUUID } from 'node:crypto';
import type { DemoPayment } from './demo-payments.js';
import { advanceClock, eventually, expectStatus, present, type Stage, walk } from './stage.js';
import { parseJson } from '@xs2a/tpp-client/http';

/** Initiates a payment, lets the customer sign it, and returns its id. */
export const pay = async (stage: Stage, payment: DemoPayment): Promise<string> => {
  const { tpp, talk, customer, applicationToken, currency } = stage;
  const { name, path, amount, body } = payment;
  talk.heading(`The TPP initiates a ${name} of ${amount} ${currency}`);
  const created = await tpp.call('POST', path, applicationToken, {
    headers: {
      'idempotency-key': randomUUID(),
      'psu-ip-address': present['psu-ip-address'],
      'tpp-redirect-uri': tpp.credentials.redirectUri,
    },
    json: {
      debtorAccount: { iban: customer.iban },
      instructedAmount: { currency, amount },
      ...body,
    },
  });
  expectStatus(talk, created, 201);
  const { paymentId, transactionStatus, _links } = parseJson<{
    paymentId: string;
    transactionStatus: string;
    _links: { scaRedirect: { href: string } };
  }>(created);
  talk.must('the payment is received: RCVD', transactionStatus === 'RCVD', transactionStatus);

  talk.heading('The customer signs on the bank’s pages');
  const browser = await walk(
    stage,
    () => _links.scaRedirect.href,
    async () => (await readScaStatus(stage, `${path}/${paymentId}`)) === 'finalised',
  );
  if (browser) {
    const back = browser.leftTo ?? 'the bank';
    talk.must('the browser comes back to the TPP', back.startsWith(tpp.credentials.redirectUri), back);
  }
  await paymentBecomes(stage, `${path}/${paymentId}`, 'ACCP');

  talk.heading('One minute later it is settled');
  await advanceClock(stage, 'PT1M');
  await paymentBecomes(stage, `${path}/${paymentId}`, 'ACSC');
  return paymentId;
};

const readScaStatus = async (
  { tpp, applicationToken }: Stage,
  payment: string,
): Promise<string | undefined> => {
  const list = await tpp.call('GET', `${payment}/authorisations`, applicationToken);
  const [id] = parseJson<{ authorisationIds: string[] }>(list).authorisationIds;
  const one = await tpp.call('GET', `${payment}/authorisations/${id}`, applicationToken);
  return parseJson<{ scaStatus: string }>(one).scaStatus;
};

const paymentBecomes = async (
  { tpp, talk, applicationToken }: Stage,
  payment: string,
  wanted: string,
): Promise<void> => {
  let seen = '';
  await eventually(async () => {
    const answer = await tpp.call('GET', `${payment}/status`, applicationToken);
    seen = parseJson<{ transactionStatus: string }>(answer).transactionStatus;
    return seen === wanted ? seen : undefined;
  });
  talk.must(`the payment’s status is ${wanted}`, seen === wanted, seen);
};
