import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Issued } from './issue-certificate.js';

/** The PEM files of a certificate and its private key. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly privateKey: string;
}

/** The files of the sandbox's test authority, in the sandbox's data folder. */
export const authorityFiles = (dataDir: string): CertificateFiles => ({
  certificate: join(dataDir, 'secrets/test-authority.crt'),
  privateKey: join(dataDir, 'secrets/test-authority.key'),
});

/** Writes a temporary file and renames it, so that readers never see a partial file. */
export const replaceFile = (file: string, content: string, mode: number): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, content, { mode });
  renameSync(`${file}.new`, file);
};

/** Writes the key before the certificate, so that there is never a certificate without its key. */
export const saveCertificate = (files: CertificateFiles, issued: Issued, keyMode = 0o600): void => {
  replaceFile(files.privateKey, issued.privateKey, keyMode);
  replaceFile(files.certificate, issued.certificate, 0o644);
};

/** Returns the certificate in these files. If they do not exist, creates them with `issue`. */
export const keepCertificate = (files: CertificateFiles, issue: () => Issued, keyMode?: number): Issued => {
  if (!existsSync(files.certificate)) saveCertificate(files, issue(), keyMode);
  return {
    certificate: readFileSync(files.certificate, 'utf8'),
    privateKey: readFileSync(files.privateKey, 'utf8'),
  };
};
