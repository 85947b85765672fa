import type { EventResource } from '@xs2a/contracts/event-streams';
import { eraseEntries } from '@xs2a/core-banking/sandbox/ledger/erase-entries';
import type { Connections } from '../connections.js';
import { removeInBlocks } from './in-blocks.js';

/**
 * Removes what other services store about erased streams: notifications with the TPP's address, page sessions,
 * tokens for a consent and, in the sandbox, the texts of ledger entries. It is idempotent and runs before the
 * streams' keys are deleted, so that the next run can complete one that was killed.
 */
export const clearStreams = async (
  connections: Connections,
  resource: EventResource,
  streamIds: readonly string[],
): Promise<void> => {
  const [notifications, auth] = [connections.pool('notifications'), connections.pool('auth')];
  await removeInBlocks(notifications, 'notification', 'resource_id = ANY($3::uuid[])', [streamIds]);
  await notifications.query('DELETE FROM unread_resource WHERE resource_id = ANY($1::uuid[])', [streamIds]);
  const isAbout = 'EXISTS (SELECT FROM unnest($3::text[]) AS id WHERE strpos(resource, id) > 0)';
  await removeInBlocks(auth, 'page_session', isAbout, [streamIds]);
  if (resource === 'consents') await endGrants(connections, 'consent_id = ANY($1::uuid[])', [streamIds]);
  else await eraseEntries(connections.pool('accounts'), streamIds);
};

/**
 * Removes what the authorization server stores about PSUs: sessions, one-time codes, failure counts and language,
 * their ids in the record of lifted locks, and grants with their tokens. Grants for consents that are still open are kept as long as those consents.
 */
export const clearPsus = async (
  connections: Connections,
  psuIds: readonly string[],
  openConsents: readonly string[],
): Promise<void> => {
  const auth = connections.pool('auth');
  await endGrants(
    connections,
    'psu_id = ANY($1::text[]) AND (consent_id IS NULL OR consent_id <> ALL($2::uuid[]))',
    [psuIds, openConsents],
  );
  await auth.query('DELETE FROM psu_sca WHERE psu_id = ANY($1::text[])', [psuIds]);
  await auth.query('UPDATE sca_unlock SET psu_id = NULL WHERE psu_id = ANY($1::text[])', [psuIds]);
  await removeInBlocks(auth, 'challenge', 'psu_id = ANY($3::text[])', [psuIds]);
  await removeInBlocks(auth, 'page_session', "state->>'psuId' = ANY($3::text[])", [psuIds]);
  // The column is compared as text, since a request may contain a NUL character, which PostgreSQL rejects in
  // JSON.
  const names = psuIds.map((psuId) => JSON.stringify(psuId));
  await removeInBlocks(
    auth,
    'oidc_model',
    `grant_id IS NULL AND EXISTS (SELECT FROM unnest($3::text[]) AS name WHERE strpos(payload::text, name) > 0)`,
    [names],
  );
};

const endGrants = async (
  connections: Connections,
  condition: string,
  values: readonly unknown[],
): Promise<void> => {
  const auth = connections.pool('auth');
  const { rows } = await auth.query<{ grant_id: string }>(
    `SELECT grant_id FROM grant_binding WHERE ${condition}`,
    [...values],
  );
  const grantIds = rows.map(({ grant_id }) => grant_id);
  await auth.query('DELETE FROM oidc_model WHERE grant_id = ANY($1::text[])', [grantIds]);
  await auth.query('DELETE FROM grant_binding WHERE grant_id = ANY($1::text[])', [grantIds]);
};
