import { consentBody } from '@xs2a/test-support/requests';
import { bodyOf } from '@xs2a/test-support/sandbox-tpp';
import { randomUUID } from 'node:crypto';
import type { ConsentRecord } from './client-log.js';
import { sandboxNow } from '@xs2a/invariants/due-left';
import type { ChaosWorld, Psu } from '../world.js';

/**
 * Creates a recurring consent without authorising it: valid for thirty days, for all data of the PSU's accounts,
 * with four calls a day.
 */
export const createConsent = async ({ tpp, log, schemas }: ChaosWorld, psu: Psu): Promise<ConsentRecord> => {
  const ibans = psu.accounts.map(({ iban }) => iban);
  const key = randomUUID();
  const now = await tpp.until('the time', async () => sandboxNow(schemas));
  const answer = await tpp.insist('POST', '/v1/consents', {
    headers: { 'idempotency-key': key, 'psu-id': psu.psuId, ...tpp.registration },
    json: consentBody(ibans, new Date(Date.parse(now) + 30 * 86_400_000).toISOString().slice(0, 10)),
  });
  const { consentId } = bodyOf<{ consentId: string }>(answer, 201);
  const consent: ConsentRecord = { key, consentId, created: answer.asked, unattended: new Map() };
  log.consents.push(consent);
  return consent;
};
