import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readMetric } from '@xs2a/observability/testing/read-metric';
import { ServerAuthority } from '@xs2a/qwac/testing/server-authority';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchCertificates } from './certificate-ends.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-ends-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hourMs = 3_600_000;
const authority = new ServerAuthority('Test');
const lasting = (leftMs: number): string => authority.issue('db.internal', { leftMs }).certificate;
const endOf = (pem: string): number => new X509Certificate(pem).validToDate.getTime() / 1000;
const file = (name: string, pem: string): string => {
  const path = join(folder, name);
  writeFileSync(path, pem);
  return path;
};
/** Returns the ends by setting, in seconds since 1970. */
const ends = async (): Promise<Record<string, number>> =>
  readMetric('xs2a_certificate_expiry_timestamp_seconds');

beforeEach(() => watchCertificates({}));

describe('the metric of certificates that end (docs/how-to/certificates.md)', () => {
  it('covers the files of PostgreSQL, NATS and the KMS, and the trust anchors', async () => {
    const [ca, client, nats, kms, anchors] = [2, 3, 4, 5, 6].map((hours) => lasting(hours * hourMs));
    const database = `sslmode=verify-full&sslrootcert=${file('ca', ca ?? '')}&sslcert=${file('client', client ?? '')}`;
    watchCertificates({
      DATABASE_URL: `postgres://role:secret@db.internal/xs2a?${database}`,
      NATS_URL: `tls://user:secret@a:4222,b:4222?ca_file=${file('nats', nats ?? '')}`,
      MASTER_KEYS_KMS_URL: `https://kms/v1/transit/decrypt/key?ca_file=${file('kms', kms ?? '')}`,
      TRUST_ANCHORS: anchors,
      BASE_URL: 'https://bank.example',
      HEALTH_PORT: 0,
    });
    expect(await ends()).toEqual({
      'DATABASE_URL sslrootcert': endOf(ca ?? ''),
      'DATABASE_URL sslcert': endOf(client ?? ''),
      'NATS_URL ca_file': endOf(nats ?? ''),
      'MASTER_KEYS_KMS_URL ca_file': endOf(kms ?? ''),
      TRUST_ANCHORS: endOf(anchors ?? ''),
    });
  });

  it('is the earliest expiry of several CA certificates, even if it has passed, because certificates of that CA are then refused', async () => {
    const [ended, next, later] = [-hourMs, hourMs, 2 * hourMs].map(lasting);
    watchCertificates({ TRUST_ANCHORS: `${later}${next}` });
    expect(await ends()).toEqual({ TRUST_ANCHORS: endOf(next ?? '') });
    watchCertificates({ TRUST_ANCHORS: `${next}${ended}` });
    expect(await ends()).toEqual({ TRUST_ANCHORS: endOf(ended ?? '') });
  });

  it('is the expiry of the service’s own certificate, not that of a CA certificate behind it in the file', async () => {
    const [ended, later] = [-hourMs, hourMs].map(lasting);
    const path = file('chain', `${ended}${later}`);
    watchCertificates({ DATABASE_URL: `postgres://db.internal/xs2a?sslmode=verify-full&sslcert=${path}` });
    expect(await ends()).toEqual({ 'DATABASE_URL sslcert': endOf(ended ?? '') });
    file('chain', `${later}${ended}`);
    expect(await ends()).toEqual({ 'DATABASE_URL sslcert': endOf(later ?? '') });
  });

  it('is absent for a setting that contains no valid certificate, which the service itself reports', async () => {
    const broken = lasting(hourMs).replace(/MII.{20}/, '');
    watchCertificates({ TRUST_ANCHORS: broken, MASTER_KEYS_KMS_URL: 'https://kms?ca_file=/nowhere' });
    expect(await ends()).toEqual({});
  });

  it('follows a file that is replaced, and is absent while the file cannot be read', async () => {
    const path = file('replaced', lasting(hourMs));
    watchCertificates({ NATS_URL: `tls://a?ca_file=${path}` });
    const before = await ends();
    const renewed = lasting(9 * hourMs);
    file('replaced', renewed);
    expect(before).not.toEqual(await ends());
    expect(await ends()).toEqual({ 'NATS_URL ca_file': endOf(renewed) });
    rmSync(path);
    expect(await ends()).toEqual({});
  });

  it('leaves out the system’s authorities', async () => {
    const url = 'postgres://db.internal/xs2a?sslmode=verify-full&sslrootcert=system';
    watchCertificates({ DATABASE_URL: url });
    expect(await ends()).toEqual({});
  });
});
