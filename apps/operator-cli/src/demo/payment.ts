import { randomUUID } from 'node:crypto';
import type { DemoPayment } from './demo-payments.js';
import { advanceClock, eventually, expectStatus, present, type Stage, walk } from './stage.js';
import { parseJson } from '@xs2a/tpp-client/http';

/** Initiates a payment, lets the customer sign it, and returns its id. */
export const pay = async (stage: Stage, payment: DemoPayment): Promise<string> => {
  const { tpp, talk, customer, applicationToken, currency } = stage;
  const { name, path, amount, body } = payment;
  talk.heading(`The TPP initiates a ${name}: ${amount} ${currency}`);
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
  if (payment.instant !== undefined) {
    await instantPaymentEnds(stage, `${path}/${paymentId}`, payment.instant);
    return paymentId;
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

/** Waits until the instant payment is final, and checks its end and what GET says about the payee. */
const instantPaymentEnds = async (
  stage: Stage,
  payment: string,
  { payee, reasonCode }: NonNullable<DemoPayment['instant']>,
): Promise<void> => {
  const { tpp, talk, applicationToken } = stage;
  talk.heading('It is final within ten seconds');
  await paymentBecomes(stage, payment, reasonCode === undefined ? 'ACSC' : 'RJCT');
  const { payeeVerification } = parseJson<{ payeeVerification?: { readonly result: string } }>(
    await tpp.call('GET', payment, applicationToken),
  );
  const result = payeeVerification?.result;
  talk.must(`the payee’s name was verified: ${payee}`, result === payee, result ?? 'absent');
  if (reasonCode === undefined) return;
  const status = parseJson<{
    readonly reasonCode?: string;
    readonly tppMessages?: readonly { readonly text: string }[];
  }>(await tpp.call('GET', `${payment}/status`, applicationToken));
  talk.must(`the reason is ${reasonCode}`, status.reasonCode === reasonCode, status.reasonCode ?? 'absent');
  for (const { text } of status.tppMessages ?? []) talk.note(text);
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
