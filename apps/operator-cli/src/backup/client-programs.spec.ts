import { describe, expect, it } from '@jest/globals';
import { connectionOf } from './client-programs.js';

describe('the database connection of pg_dump (docs/how-to/archive.md)', () => {
  const owner = 'postgres://xs2a_owner:s%2Fecret@db.example:5432/xs2a';

  it.each([
    owner,
    'postgres://xs2a_owner@db.example:5432/xs2a?password=s%2Fecret',
    `${owner}?sslpassword=s%2Fecret`,
  ])('passes the password in the environment, not in the arguments: %s', (databaseUrl) => {
    const { url, env } = connectionOf(databaseUrl);
    expect(url).toBe('postgres://xs2a_owner@db.example:5432/xs2a');
    expect(env['PGPASSWORD']).toBe('s/ecret');
  });

  it('is verified with the certificate authorities of the system if none are configured, as in the services', () => {
    const rootOf = (parameters: string): string | null =>
      new URL(connectionOf(`${owner}?${parameters}`).url).searchParams.get('sslrootcert');
    expect(rootOf('sslmode=verify-full')).toBe('system');
    expect(rootOf('sslmode=verify-full&sslrootcert=/etc/ca.pem')).toBe('/etc/ca.pem');
    expect(rootOf('sslmode=require')).toBeNull();
    expect(rootOf('')).toBeNull();
  });
});
