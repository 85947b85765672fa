import { optional, readConfig, text } from '@xs2a/runtime/config';
import { Clock } from '@xs2a/runtime/clock';
import { keepCertificate, replaceFile } from '@xs2a/qwac/certificate-files';
import type { Issued } from '@xs2a/qwac/issue-certificate';
import {
  issueTestQwac,
  issueTestRevocationList,
  issueTestServer,
  newSandboxAuthority,
  testFilesDays,
} from '@xs2a/qwac/sandbox-authority';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const demoTpp = {
  name: 'Demo TPP',
  organizationIdentifier: 'PSDBG-BNB-12345',
  roles: ['PSP_AI', 'PSP_PI', 'PSP_IC'],
  days: testFilesDays,
} as const;

/**
 * Writes the files named in deploy/gateway/nginx.conf and those of a TPP: a test authority (trust-anchors.pem),
 * the server certificate for these hosts, an empty revocation list and the QWAC of a TPP with all roles. Existing
 * files are kept, except that the proxy secret follows PROXY_SECRET. Returns the file paths.
 */
export const writeMutualTlsFiles = (folder: string, hosts: readonly string[]): string[] => {
  mkdirSync(folder, { recursive: true });
  const nowMs = new Clock(false).nowMs();
  const at = (name: string): string => join(folder, name);
  const write = (name: string, content: string, mode: number): void => replaceFile(at(name), content, mode);
  const keepPair = (name: string, key: string, keyMode: number, issue: () => Issued): Issued =>
    keepCertificate({ certificate: at(name), privateKey: at(key) }, issue, keyMode);
  const authority = keepPair('trust-anchors.pem', 'authority.key', 0o600, () => newSandboxAuthority(nowMs));
  keepPair('server.crt', 'server.key', 0o600, () => issueTestServer(hosts, authority, nowMs));
  // The TPP's program may run as another user in the group.
  keepPair('tpp.crt', 'tpp.key', 0o640, () => issueTestQwac(demoTpp, authority, nowMs));
  if (!existsSync(at('revoked.crl'))) write('revoked.crl', issueTestRevocationList(authority, nowMs), 0o644);
  const { PROXY_SECRET: secret } = readConfig({ PROXY_SECRET: optional(text()) });
  if (secret !== undefined)
    write('proxy-secret.conf', `proxy_set_header X-Proxy-Secret "${secret}";\n`, 0o600);
  return ['trust-anchors.pem', 'server.crt', 'server.key', 'revoked.crl', 'tpp.crt', 'tpp.key'].map(at);
};
