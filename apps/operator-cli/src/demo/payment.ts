import { randomUUID } from 'node:crypto';
import { advanceClock, eventually, expectStatus, present, type Stage, walk } from './stage.js';
import { parseJson } from '@xs2a/tpp-client/http';

const product = '/v1/payments/domestic-credit-transfer-BGN';

/** Initiates a payment, lets the customer sign it, and returns its id. */
export const pay = async (stage: Stage): Promise<string> => {
  const { tpp, talk, customer, applicationToken } = stage;
  talk.heading('The TPP initiates a payment of 12.50 BGN');
  const created = await tpp.call('POST', product, applicationToken, {
    headers: {
      'idempotency-key': randomUUID(),
      'psu-ip-address': present['psu-ip-address'],
      'tpp-redirect-uri': tpp.credentials.redirectUri,
    },
    json: {
      endToEndIdentification: 'DEMO-1',
      debtorAccount: { iban: customer.iban },
      instructedAmount: { currency: 'BGN', amount: '12.50' },
      creditorAccount: { iban: 'BG26RZBB91551023456789' },
      creditorName: 'Petar Ivanov',
      remittanceInformationUnstructured: 'Invoice 2024-17',
      serviceLevel: 'NURG',
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
    async () => (await readScaStatus(stage, paymentId)) === 'finalised',
  );
  if (browser) {
    const back = browser.leftTo ?? 'the bank';
    talk.must('the browser comes back to the TPP', back.startsWith(tpp.credentials.redirectUri), back);
  }
  await paymentBecomes(stage, paymentId, 'ACCP');

  talk.heading('One minute later it is settled');
  await advanceClock(stage, 'PT1M');
  await paymentBecomes(stage, paymentId, 'ACSC');
  return paymentId;
};

const readScaStatus = async (
  { tpp, applicationToken }: Stage,
  paymentId: string,
): Promise<string | undefined> => {
  const list = await tpp.call('GET', `${product}/${paymentId}/authorisations`, applicationToken);
  const [id] = parseJson<{ authorisationIds: string[] }>(list).authorisationIds;
  const one = await tpp.call('GET', `${product}/${paymentId}/authorisations/${id}`, applicationToken);
  return parseJson<{ scaStatus: string }>(one).scaStatus;
};

const paymentBecomes = async (
  { tpp, talk, applicationToken }: Stage,
  paymentId: string,
  wanted: string,
): Promise<void> => {
  let seen = '';
  await eventually(async () => {
    const answer = await tpp.call('GET', `${product}/${paymentId}/status`, applicationToken);
    seen = parseJson<{ transactionStatus: string }>(answer).transactionStatus;
    return seen === wanted ? seen : undefined;
  });
  talk.must(`the payment’s status is ${wanted}`, seen === wanted, seen);
};
