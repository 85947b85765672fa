import { readFileSync } from 'node:fs';
import type { ClientTls } from '@xs2a/tpp-client/tls-send';

/** The files named in the demo's options. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const read = (option: string, file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Error(`--${option} names ${file}, which cannot be read.`);
  }
};

/**
 * Reads the PEM files. Returns undefined if none is given. Throws a one-line error that describes any problem with
 * the options.
 */
export const readClientTls = ({ ca, cert, key }: TlsFiles, baseUrl: string): ClientTls | undefined => {
  if (ca === undefined && cert === undefined && key === undefined) return undefined;
  if (!baseUrl.startsWith('https://')) throw new Error('--ca, --cert and --key need an https --base-url.');
  if ((cert === undefined) !== (key === undefined))
    throw new Error('--cert and --key must be given together.');
  return {
    ...(ca === undefined ? {} : { ca: read('ca', ca) }),
    ...(cert === undefined || key === undefined
      ? {}
      : { identity: { certificate: read('cert', cert), privateKey: read('key', key) } }),
  };
};
