import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeMutualTlsFiles } from './mutual-tls-files.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-mutual-tls-'));
const secretBefore = process.env['PROXY_SECRET'];
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

beforeAll(() => {
  process.env['PROXY_SECRET'] = 'first-secret';
  writeMutualTlsFiles(folder, ['localhost']);
});
afterAll(() => {
  if (secretBefore === undefined) delete process.env['PROXY_SECRET'];
  else process.env['PROXY_SECRET'] = secretBefore;
  rmSync(folder, { recursive: true });
});

describe('xs2a tpp mutual-tls', () => {
  it('writes each file named in the nginx example', () => {
    const example = readFileSync(
      join(import.meta.dirname, '../../../../deploy/gateway/nginx.conf'),
      'utf8',
    ).replaceAll(/^ *#.*$/gm, '');
    const named = [...example.matchAll(/\/run\/secrets\/xs2a\/([\w.-]+)/g)].map(([, name = '']) => name);
    expect(named).toHaveLength(5);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(named));
  });

  it('keeps existing files, but updates the secret of the proxy', () => {
    const before = ['trust-anchors.pem', 'server.crt', 'tpp.crt', 'revoked.crl'].map(read);
    process.env['PROXY_SECRET'] = 'second-secret';
    writeMutualTlsFiles(folder, ['localhost']);
    expect(['trust-anchors.pem', 'server.crt', 'tpp.crt', 'revoked.crl'].map(read)).toEqual(before);
    expect(read('proxy-secret.conf')).toContain('"second-secret"');
  });

  it('makes private keys readable only by their owner, and the TPP key also by its group', () => {
    const modes = ['authority.key', 'server.key', 'proxy-secret.conf', 'tpp.key'].map((name) =>
      (statSync(join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['600', '600', '600', '640']);
  });
});
