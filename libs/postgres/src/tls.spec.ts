import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isVerifyFull, partTls } from './tls.js';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-tls-url-'));
const pemFile = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};
const pem = (content: string): string => `-----BEGIN CERTIFICATE-----\n${content}\n`;

describe('a PostgreSQL URL', () => {
  it.each(['postgres://a:b@db:5432/xs2a', 'postgresql://db/xs2a'])(
    'requires verified encryption with sslmode=verify-full: %s',
    (url) => {
      expect(isVerifyFull(`${url}?sslmode=verify-full`)).toBe(true);
      expect(isVerifyFull(`${url}?options=-c%20a%3Db&sslmode=verify-full&sslrootcert=/ca.crt`)).toBe(true);
    },
  );

  it.each([
    'postgres://db/xs2a',
    'postgres://db/xs2a?sslmode=disable',
    'postgres://db/xs2a?sslmode=require',
    'postgres://db/xs2a?sslmode=verify-ca&sslrootcert=/ca.crt',
    'postgres://db/xs2a?ssl=true',
    'postgres://db/xs2a?sslmode=verify-full&sslmode=no-verify',
    'postgres:///xs2a?sslmode=verify-full',
    'http://db/xs2a?sslmode=verify-full',
    '/var/run/postgresql xs2a',
  ])('does not require verified encryption if it is %s', (url) => {
    expect(isVerifyFull(url)).toBe(false);
  });

  it('does not pass any other parameter to pg that would weaken the verification', () => {
    const { url, ssl } = partTls(
      'postgres://a@db/x?sslmode=verify-full&ssl=no-verify&uselibpqcompat=true&sslnegotiation=direct&options=-c%20a%3Db',
    );
    expect(url).toBe('postgres://a@db/x?options=-c+a%3Db');
    expect(ssl).toEqual({ rejectUnauthorized: true });
  });

  it('is passed to pg unchanged if it does not require verified encryption', () => {
    expect(partTls('postgres://a@db/x?sslmode=disable')).toEqual({
      url: 'postgres://a@db/x?sslmode=disable',
    });
  });
});

describe('the files in the URL', () => {
  it('are read for each connection; while a file is being replaced, its previous content is used', () => {
    const [ca, cert, key] = ['ca', 'cert', 'key'].map((name) => pemFile(name, pem(`${name} 1`)));
    const { ssl } = partTls(
      `postgres://db/x?sslmode=verify-full&sslrootcert=${ca}&sslcert=${cert}&sslkey=${key}`,
    );
    expect(ssl).toMatchObject({ ca: pem('ca 1'), cert: pem('cert 1'), key: pem('key 1') });
    pemFile('ca', pem('ca 2'));
    expect(ssl?.ca).toBe(pem('ca 2'));
    pemFile('ca', '');
    expect(ssl?.ca).toBe(pem('ca 2'));
  });

  it('must exist at startup', () => {
    const at = (file: string) => () => partTls(`postgres://db/x?sslmode=verify-full&sslrootcert=${file}`);
    expect(at(join(folder, 'none'))).toThrow('none');
    expect(at(pemFile('empty', ''))).toThrow('empty holds no PEM');
  });

  it('are replaced by the trusted authorities of Node if sslrootcert=system', () => {
    expect(partTls('postgres://db/x?sslmode=verify-full&sslrootcert=system').ssl).toEqual({
      rejectUnauthorized: true,
    });
  });
});
