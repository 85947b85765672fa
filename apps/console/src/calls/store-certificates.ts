import type { SeenCertificate } from '@xs2a/contracts/console.contract';
import type { EntityManager } from 'typeorm';

/**
 * The newest certificate wins, in whichever order the batches of several gateways arrive. Rows are locked in the order of their
 * keys, so that two batches cannot wait for each other. A time later than now, from a host whose clock is ahead, counts as now.
 */
const upsert = `
  INSERT INTO tpp_certificate AS known (tpp_id, ends_at, seen_at)
  SELECT DISTINCT ON (tpp_id) tpp_id, ends_at, least(seen_at, $4::timestamptz)
  FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS given (tpp_id, ends_at, seen_at)
  ORDER BY tpp_id, seen_at DESC
  ON CONFLICT (tpp_id) DO UPDATE SET ends_at = excluded.ends_at, seen_at = excluded.seen_at
  WHERE excluded.seen_at > known.seen_at`;

/** Keeps the certificates that TPPs presented in their latest calls. */
export const storeCertificates = async (
  manager: EntityManager,
  seen: readonly SeenCertificate[],
  now: Date,
): Promise<void> => {
  if (seen.length === 0) return;
  const columns = (['tppId', 'endsAt', 'seenAt'] as const).map((member) => seen.map((one) => one[member]));
  await manager.query(upsert, [...columns, now]);
};
