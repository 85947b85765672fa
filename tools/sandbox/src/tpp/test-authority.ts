import type { Issued } from '@xs2a/qwac/issue-certificate';
import { Clock } from '@xs2a/runtime/clock';
import { newSandboxAuthority } from '@xs2a/qwac/sandbox-authority';
import { existsSync, readFileSync } from 'node:fs';
import { type Layout, writePrivately } from '../layout.js';

/** The sandbox's own authority for QWACs: made at the first start, kept with the other secrets. */
export const testAuthority = ({ testAuthority: files }: Pick<Layout, 'testAuthority'>): Issued => {
  if (!existsSync(files.certificate)) {
    const { certificate, privateKey } = newSandboxAuthority(new Clock(false).nowMs());
    writePrivately(files.privateKey, privateKey);
    writePrivately(files.certificate, certificate);
  }
  return {
    certificate: readFileSync(files.certificate, 'utf8'),
    privateKey: readFileSync(files.privateKey, 'utf8'),
  };
};
